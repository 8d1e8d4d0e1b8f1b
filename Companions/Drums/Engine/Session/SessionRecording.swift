import Wire

// A session while it goes on, as bytes that only grow: those of its codec without the number of events and without the
// checksum behind them, both of which each event would change.
extension DrumSession {
    /// The setup and the start of a recording.
    public struct Beginning: Sendable {
        /// The setup: the person, the song and the settings.
        public let setup: SessionSetup
        /// The start, UTC milliseconds, by the player's device.
        public let startedAt: Int64
    }

    /// Reads the beginning of a recording, which has all of the setup and the start.
    public static func beginning(ofRecording recording: [UInt8]) throws(SessionCodecError) -> Beginning {
        var reader = try contentReader(of: recording)
        _ = reader.uint16()
        let setup = try SessionSetup(&reader)
        var claim: SessionClaim?
        let kind = reader.uint8()
        _ = reader.uint32()
        guard !reader.isCutOff, case .start(let wall) = try readInput(kind, 0, &reader, &claim), !reader.isCutOff else {
            throw .doesNotBegin
        }
        return Beginning(setup: setup, startedAt: wall)
    }

    /// The part of the recording after a cursor; the cursor moves to the end. The cost is that of the new part, however
    /// long the session is.
    public func recording(after cursor: inout RecordingCursor) -> [UInt8] {
        var bytes: [UInt8] = []
        if cursor.offset == 0 {
            bytes = Self.seal.begun(reserving: 200 + setup.chart.steps.count / 8)
            bytes.append(littleEndian: recordedVersion)
            bytes.append(contentsOf: setup.bytes)
        }
        appendEvents(from: cursor.events, to: &bytes)
        cursor.advance(bytes: bytes.count, events: events.count)
        return bytes
    }

    /// The recording in a session's bytes, without the event with which the hub closed the session.
    public static func recording(of encoded: [UInt8]) throws(SessionCodecError) -> [UInt8] {
        try seal.opened(encoded) { (reader: inout LittleEndianReader) throws(SessionCodecError) -> [UInt8] in
            guard reader.remaining <= Limits.bytes - seal.count else { throw .tooManyEvents }
            let end = encoded.count - 4
            _ = reader.uint16()
            _ = try SessionSetup(&reader)
            let header = end - reader.remaining
            let count = Int(reader.uint16())
            var last = end - reader.remaining
            var claim: SessionClaim?
            for index in 0..<count {
                last = end - reader.remaining
                let kind = reader.uint8()
                _ = reader.uint32()
                let input = try readInput(kind, index, &reader, &claim)
                guard !reader.isCutOff else { throw .seal(.cutOff) }
                if index == count - 1, case .closed = input { break }
                last = end - reader.remaining
            }
            return Array(encoded[..<header]) + encoded[min(header + 2, last)..<last]
        }
    }

    /// The result that the page claimed at the end of a session; nil where it claimed none, and where the bytes are not
    /// a session. The session is not played through for it.
    public static func claim(of encoded: [UInt8]) -> SessionClaim? {
        try? seal.opened(encoded) { (reader: inout LittleEndianReader) throws(SessionCodecError) -> SessionClaim? in
            _ = reader.uint16()
            _ = try SessionSetup(&reader)
            var claim: SessionClaim?
            for index in 0..<Int(reader.uint16()) {
                let kind = reader.uint8()
                _ = reader.uint32()
                _ = try readInput(kind, index, &reader, &claim)
                guard !reader.isCutOff else { throw .seal(.cutOff) }
            }
            return claim
        }
    }

    /// The bytes of the session in a recording, not played through.
    ///
    /// - Parameter isComplete: whether the recording has ended. Where more could have come, an event that is there in
    ///   part is left out.
    public static func encoded(recording: [UInt8], isComplete: Bool) throws(SessionCodecError) -> [UInt8] {
        guard recording.count <= Limits.bytes else { throw .tooManyEvents }
        var reader = try contentReader(of: recording)
        _ = reader.uint16()
        _ = try SessionSetup(&reader)
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        let header = recording.count - reader.remaining
        var end = header
        var count = 0
        var claim: SessionClaim?
        while reader.remaining > 0 {
            guard count < Limits.events else { throw .tooManyEvents }
            let kind = reader.uint8()
            _ = reader.uint32()
            do throws(SessionCodecError) {
                _ = try readInput(kind, count, &reader, &claim)
            } catch {
                guard reader.isCutOff else { throw error }
            }
            if reader.isCutOff {
                guard !isComplete else { throw .seal(.cutOff) }
                break
            }
            count += 1
            end = recording.count - reader.remaining
        }
        guard count > 0 else { throw .doesNotBegin }
        var bytes = Array(recording[..<header])
        bytes.reserveCapacity(end + 6)
        bytes.append(littleEndian: UInt16(clamping: count))
        bytes.append(contentsOf: recording[header..<end])
        Seal.close(&bytes)
        return bytes
    }

    private static func contentReader(of recording: [UInt8]) throws(SessionCodecError) -> LittleEndianReader {
        if let failure = seal.failure(inBeginningOf: recording) { throw .seal(failure) }
        return LittleEndianReader(recording[seal.contentStart...])
    }
}
