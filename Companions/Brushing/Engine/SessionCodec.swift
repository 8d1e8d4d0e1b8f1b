import Wire

// Version 1 of a session as bytes: what the page keeps in its outbox, what it sends, and what the hub stores. Numbers
// have their lowest byte first.
//
//   "TBR", 1                 the codec and its version
//   u16                      version of the engine that began the session
//   16 bytes                 the session's identifier
//   u8, bytes                the person's identifier, ASCII
//   i16                      minutes east of Greenwich at the start
//   u8, then each            the routine's steps: u8 kind, u8 repetitions, i16 seconds, u8 whether it is on
//   u16, then each           the events: u8 kind, i64 wall clock, i64 monotonic clock, both milliseconds;
//                            a finish is followed by the page's claim: i32 brush, i32 floss, i32 rinse, milliseconds,
//                            u8 of two bits: 1 complete, 2 counts
//   u32                      CRC-32 of all before
extension BrushingSession {
    static let seal = Seal(mark: "TBR", version: 1)
    static let eventBytes = 17

    /// The session as bytes, of at most ``Limits/bytes``.
    public func encoded() -> [UInt8] {
        var bytes = Self.seal.begun(reserving: 120 + events.count * Self.eventBytes)
        appendHeader(to: &bytes)
        bytes.append(littleEndian: UInt16(clamping: events.count))
        appendEvents(from: 0, to: &bytes)
        Seal.close(&bytes)
        return bytes
    }

    /// Appends what stands in front of the events.
    func appendHeader(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: recordedVersion)
        bytes.append(contentsOf: id)
        bytes.append(counted: person)
        bytes.append(littleEndian: utcOffsetMinutes)
        bytes.append(contentsOf: routine.bytes)
    }

    /// Appends the events from one on, by its place.
    func appendEvents(from first: Int, to bytes: inout [UInt8]) {
        for event in events[first...] {
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
    }

    /// The session that these bytes are, played through: its view and its result are those of its last event.
    public static func decoded(_ bytes: [UInt8]) throws(SessionCodecError) -> BrushingSession {
        try seal.opened(bytes, read: read)
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
            throw error == .negativeDuration ? .negativeDuration : .routine(error)
        }
        return try BrushingSession(
            id: id, person: person, utcOffsetMinutes: utcOffsetMinutes, routine: routine, recordedVersion: version)
    }

    private static func read(_ reader: inout LittleEndianReader) throws(SessionCodecError) -> BrushingSession {
        var session = try readHeader(&reader)
        let count = Int(reader.uint16())
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        guard count > 0 else { throw .doesNotBegin }
        guard count <= Limits.events else { throw .tooManyEvents }
        guard reader.hasRoom(for: count, ofBytes: eventBytes) else { throw .seal(.cutOff) }
        session.reserve(events: count)
        for index in 0..<count { try session.readEvent(index, &reader) }
        return session
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
        4 + 2 + id + 1 + person.upperBound + 2 + 1 + 5 * Routine.Limits.steps.upperBound + 2 + 17 * events + 13 + 4
}
