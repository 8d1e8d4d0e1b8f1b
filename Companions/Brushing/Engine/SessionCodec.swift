import Wire

// Version 1 of a session as bytes, which only grow while it goes on: what the page stores, what it sends, and what the hub
// stores. Numbers have their lowest byte first. Their checksum is stored and sent beside them.
//
//   "TBR", 1                 the codec and its version
//   u16                      version of the engine that began the session
//   16 bytes                 the session's identifier
//   u8, bytes                the person's identifier, ASCII
//   i16                      minutes east of Greenwich at the start
//   u8, then each            the routine's steps: u8 kind, u8 repetitions, i16 seconds, u8 whether it is on
//   then each                the events: u8 kind, i64 wall clock, i64 monotonic clock, both milliseconds;
//                            a finish is followed by the page's claim: i32 brush, i32 floss, i32 rinse, milliseconds,
//                            u8 of two bits: 1 complete, 2 counts
extension BrushingSession {
    static let seal = Seal(mark: "TBR", version: 1)
    static let eventBytes = 17

    /// The session as bytes, of at most ``Limits/bytes``.
    public func encoded() -> [UInt8] {
        var cursor = SessionCursor()
        return encoded(after: &cursor)
    }

    /// The bytes after a cursor, which is moved to their end. The cost is that of the new bytes, however long the session
    /// is.
    public func encoded(after cursor: inout SessionCursor) -> [UInt8] {
        var bytes: [UInt8] = []
        if cursor.offset == 0 {
            bytes = Self.seal.begun(reserving: 120 + events.count * Self.eventBytes)
            bytes.append(littleEndian: recordedVersion)
            bytes.append(contentsOf: id)
            bytes.append(counted: person)
            bytes.append(littleEndian: utcOffsetMinutes)
            bytes.append(contentsOf: routine.bytes)
        }
        for event in events[cursor.events...] {
            bytes.append(event.input.rawValue)
            bytes.append(littleEndian: event.at.wall)
            bytes.append(littleEndian: event.at.monotonic)
            if event.input == .finish, let claim {
                bytes.append(littleEndian: claim.brushMilliseconds)
                bytes.append(littleEndian: claim.flossMilliseconds)
                bytes.append(littleEndian: claim.rinseMilliseconds)
                bytes.append((claim.isComplete ? 1 : 0) | (claim.counts ? 2 : 0))
            }
        }
        cursor.advance(bytes: bytes.count, events: events.count)
        return bytes
    }

    /// The session that these bytes are, played through: its view and its result are those of its last event.
    ///
    /// - Parameter isComplete: whether no more bytes come. If some may, an event that is cut off at the end is left out.
    public static func decoded(_ bytes: [UInt8], isComplete: Bool = true) throws(SessionCodecError) -> BrushingSession {
        guard bytes.count <= Limits.bytes else { throw .tooManyEvents }
        var reader = try seal.reader(of: bytes, failing: SessionCodecError.self)
        var session = try readHeader(&reader)
        session.reserve(events: reader.remaining / eventBytes)
        while reader.remaining > 0 {
            let index = session.events.count
            guard index < Limits.events else { throw .tooManyEvents }
            do throws(SessionCodecError) {
                try session.readEvent(index, &reader)
            } catch {
                guard reader.isCutOff else { throw error }
                guard !isComplete else { throw .seal(.cutOff) }
                break
            }
        }
        guard !session.events.isEmpty else { throw .doesNotBegin }
        return session
    }

    /// The beginning of a session, read from the first of its bytes: the session before its first event, and the time of
    /// that, in UTC milliseconds.
    public static func beginning(of bytes: [UInt8]) throws(SessionCodecError) -> (
        session: BrushingSession, startedAt: Int64
    ) {
        var reader = try seal.reader(of: bytes, failing: SessionCodecError.self)
        let session = try readHeader(&reader)
        let kind = reader.uint8()
        let wall = reader.int64()
        _ = reader.int64()
        guard !reader.isCutOff, SessionInput(rawValue: kind) == .start else { throw .doesNotBegin }
        return (session, wall)
    }

    /// The index of the first event's first byte in a session's bytes.
    public static func eventsIndex(in bytes: [UInt8]) throws(SessionCodecError) -> Int {
        var reader = try seal.reader(of: bytes, failing: SessionCodecError.self)
        _ = try readHeader(&reader)
        return bytes.count - reader.remaining
    }

    /// The result that the page claims in a session's bytes; nil if it claims none, or the bytes are not a session.
    /// Nothing is replayed for it.
    public static func claim(of bytes: [UInt8]) -> SessionClaim? {
        guard var reader = try? seal.reader(of: bytes, failing: SessionCodecError.self),
            (try? readHeader(&reader)) != nil
        else { return nil }
        while reader.remaining > 0 {
            let kind = reader.uint8()
            _ = reader.take(eventBytes - 1)
            if SessionInput(rawValue: kind) == .finish { return try? readClaim(&reader) }
        }
        return nil
    }

    /// Whether it continues another session that has not ended: all events of the other are the beginning of this one.
    public func isContinuation(of other: BrushingSession) -> Bool {
        id == other.id && person == other.person && utcOffsetMinutes == other.utcOffsetMinutes
            && routine == other.routine && recordedVersion == other.recordedVersion
            && events.count >= other.events.count && events.prefix(other.events.count).elementsEqual(other.events)
    }

    /// Reads what stands in front of the events: a session that has not begun.
    static func readHeader(_ reader: inout LittleEndianReader) throws(SessionCodecError) -> BrushingSession {
        let version = reader.uint16()
        let id = reader.take(Limits.id)
        let person = reader.takeCounted()
        let utcOffsetMinutes = reader.int16()
        let routine: Routine
        do throws(RoutineError) {
            routine = try Routine(&reader)
        } catch {
            guard !reader.isCutOff else { throw .seal(.cutOff) }
            throw error == .negativeDuration ? .negativeDuration : .routine(error)
        }
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        return try BrushingSession(
            id: id, person: person, utcOffsetMinutes: utcOffsetMinutes, routine: routine, recordedVersion: version)
    }

    private mutating func readEvent(_ index: Int, _ reader: inout LittleEndianReader) throws(SessionCodecError) {
        guard let input = SessionInput(rawValue: reader.uint8()), input != .seen else { throw .unknownKind(index) }
        let at = Instant(wall: reader.int64(), monotonic: reader.int64())
        let claim = input == .finish ? try Self.readClaim(&reader) : nil
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        guard let before = events.last else {
            guard input == .start else { throw .doesNotBegin }
            replay(SessionEvent(input: input, at: at), claim: nil)
            return
        }
        guard before.input != .finish, before.input != .stop || input == .finish else { throw .afterEnd(index) }
        guard input != .start, input == .opened || at.monotonic >= before.at.monotonic else {
            throw .outOfOrder(index)
        }
        replay(SessionEvent(input: input, at: at), claim: claim)
    }

    static func readClaim(_ reader: inout LittleEndianReader) throws(SessionCodecError) -> SessionClaim {
        let brush = reader.int32()
        let floss = reader.int32()
        let rinse = reader.int32()
        let flags = reader.uint8()
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        guard brush >= 0, floss >= 0, rinse >= 0 else { throw .negativeDuration }
        guard flags <= 3 else { throw .claim }
        return SessionClaim(
            brushMilliseconds: brush, flossMilliseconds: floss, rinseMilliseconds: rinse,
            isComplete: flags & 1 != 0, counts: flags & 2 != 0)
    }
}

extension BrushingSession.Limits {
    /// The largest session there can be: what a server reads at most.
    public static let bytes =
        4 + 2 + id + 1 + person.upperBound + 2 + 1 + 5 * Routine.Limits.steps.upperBound + 17 * events + 13
}
