import Wire

/// The setup and the start of a session.
public struct SessionBeginning: Sendable {
    /// The setup: the person, the song and the settings.
    public let setup: SessionSetup
    /// The start, UTC milliseconds, by the player's device.
    public let startedAt: Int64

    /// Reads the beginning of a session's bytes, which has all of the setup and the start.
    public init(_ bytes: [UInt8]) throws(SessionCodecError) {
        var reader = try DrumSession.seal.reader(of: bytes, failing: SessionCodecError.self)
        _ = reader.uint16()
        setup = try SessionSetup(&reader)
        var claim: SessionClaim?
        let kind = reader.uint8()
        _ = reader.uint32()
        guard !reader.isCutOff, case .start(let wall) = try DrumSession.readInput(kind, 0, &reader, &claim),
            !reader.isCutOff
        else { throw .doesNotBegin }
        startedAt = wall
    }
}

extension SessionClaim {
    /// The result that the page claimed at the end of a session; nil if it claimed none, or the bytes are not a session.
    /// The session is not played through for it.
    public init?(of bytes: [UInt8]) {
        guard let claim = try? Self.read(bytes) else { return nil }
        self = claim
    }

    private static func read(_ bytes: [UInt8]) throws(SessionCodecError) -> SessionClaim? {
        var reader = try DrumSession.seal.reader(of: bytes, failing: SessionCodecError.self)
        _ = reader.uint16()
        _ = try SessionSetup(&reader)
        var claim: SessionClaim?
        var index = 0
        while reader.remaining > 0, index < DrumSession.Limits.events {
            let kind = reader.uint8()
            _ = reader.uint32()
            _ = try DrumSession.readInput(kind, index, &reader, &claim)
            guard !reader.isCutOff else { throw .seal(.cutOff) }
            index += 1
        }
        return claim
    }
}

extension DrumSession {
    /// The index of the first event's first byte in a session's bytes.
    public static func eventsIndex(in bytes: [UInt8]) throws(SessionCodecError) -> Int {
        var reader = try seal.reader(of: bytes, failing: SessionCodecError.self)
        _ = reader.uint16()
        _ = try SessionSetup(&reader)
        return bytes.count - reader.remaining
    }

    /// The session's bytes without the event with which the hub closed it: what its page recorded.
    public func encodedWithoutClosing() -> [UInt8] {
        let bytes = encoded()
        guard case .closed = events.last?.input else { return bytes }
        return Array(bytes.dropLast(Self.closingBytes))
    }
}
