import Wire

// A session while it goes on, as bytes that only grow: those of its codec without the number of events and without the
// checksum behind them, both of which each event would change.
extension BrushingSession {
    /// The beginning of a recording: the session before its first event, and the time of that, in UTC milliseconds.
    public static func beginning(ofRecording recording: [UInt8]) throws(SessionCodecError) -> (
        session: BrushingSession, startedAt: Int64
    ) {
        var reader = try contentReader(of: recording)
        let session = try readHeader(&reader)
        let kind = reader.uint8()
        let wall = reader.int64()
        _ = reader.int64()
        guard !reader.isCutOff, SessionInput(rawValue: kind) == .start else { throw .doesNotBegin }
        return (session, wall)
    }

    /// The bytes of the recording after a cursor, which is moved to the end. The cost is that of the new bytes, however
    /// long the session is.
    public func recording(after cursor: inout RecordingCursor) -> [UInt8] {
        var bytes: [UInt8] = []
        if cursor.offset == 0 {
            bytes = Self.seal.begun(reserving: 140)
            appendHeader(to: &bytes)
        }
        appendEvents(from: cursor.events, to: &bytes)
        cursor.advance(bytes: bytes.count, events: events.count)
        return bytes
    }

    /// The recording of an encoded session.
    public static func recording(of encoded: [UInt8]) throws(SessionCodecError) -> [UInt8] {
        try seal.opened(encoded) { (reader: inout LittleEndianReader) throws(SessionCodecError) -> [UInt8] in
            let end = encoded.count - 4
            _ = try readHeader(&reader)
            let header = end - reader.remaining
            _ = reader.uint16()
            guard !reader.isCutOff else { throw .seal(.cutOff) }
            let events = end - reader.remaining
            _ = reader.take(reader.remaining)
            return Array(encoded[..<header]) + encoded[events..<end]
        }
    }

    /// The result that the page claims in an encoded session; nil if it claims none, or the bytes are not a session.
    /// Nothing is replayed for it.
    public static func claim(of encoded: [UInt8]) -> SessionClaim? {
        try? seal.opened(encoded) { (reader: inout LittleEndianReader) throws(SessionCodecError) -> SessionClaim? in
            _ = try readHeader(&reader)
            for _ in 0..<Int(reader.uint16()) {
                let kind = reader.uint8()
                _ = reader.take(eventBytes - 1)
                guard !reader.isCutOff else { throw .seal(.cutOff) }
                if SessionInput(rawValue: kind) == .finish { return try readClaim(&reader) }
            }
            return nil
        }
    }

    /// The encoded session of a recording, which is not replayed.
    ///
    /// - Parameters:
    ///   - recording: the bytes so far.
    ///   - isComplete: whether the recording is complete. If not, an event that is cut off at the end is left out.
    public static func encoded(recording: [UInt8], isComplete: Bool) throws(SessionCodecError) -> [UInt8] {
        guard recording.count <= Limits.bytes else { throw .tooManyEvents }
        var reader = try contentReader(of: recording)
        _ = try readHeader(&reader)
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        let header = recording.count - reader.remaining
        var end = header
        var count = 0
        while reader.remaining > 0 {
            guard count < Limits.events else { throw .tooManyEvents }
            let kind = reader.uint8()
            _ = reader.take(eventBytes - 1)
            if SessionInput(rawValue: kind) == .finish, !reader.isCutOff {
                do throws(SessionCodecError) {
                    _ = try readClaim(&reader)
                } catch {
                    guard reader.isCutOff else { throw error }
                }
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

    /// Whether it continues another session that has not ended: all events of the other are the beginning of this one.
    public func isContinuation(of other: BrushingSession) -> Bool {
        id == other.id && person == other.person && utcOffsetMinutes == other.utcOffsetMinutes
            && routine == other.routine && recordedVersion == other.recordedVersion
            && events.count >= other.events.count && events.prefix(other.events.count).elementsEqual(other.events)
    }

    private static func contentReader(of recording: [UInt8]) throws(SessionCodecError) -> LittleEndianReader {
        if let failure = seal.failure(inBeginningOf: recording) { throw .seal(failure) }
        return LittleEndianReader(recording[seal.contentStart...])
    }
}
