import Wire

// Version 1 of a session as bytes, which only grow while it goes on: what the page stores, what it sends, and what the hub
// stores. Numbers have their lowest byte first. Their checksum is stored and sent beside them.
//
//   "TDR", 1                 the codec and its version
//   u16                      version of the engine that began the session
//   the setup                see SetupBytes.swift
//   then each                the events: u8 kind, u32 microseconds since the event before, and what goes with the kind:
//      1 start               i64 wall clock, milliseconds
//      2 cueShown            u16 step
//      3 message             u8, bytes
//      4 strike              u8 drum, u8 velocity, u8 link
//      5 pause, 6 resume, 7 linkLost, 10 stop: nothing
//      8 linkBack            u8 link, u16 latency in tenths of a millisecond
//      9 opened              i64 wall clock, milliseconds
//      11 finish             the page's claim: u16 right, u16 answered, u32 median reaction in tenths of a millisecond
//      12 imported           u16 step, u8, at most 200 bytes
//      13 closed             i64 wall clock, milliseconds
//      14 imported           u16 step, u16, more than 200 bytes
//      15 crosstalk          u8 drum, u8 milliseconds, u8 percent
extension DrumSession {
    static let seal = Seal(mark: "TDR", version: 1)

    private static let leastEventBytes = 5
    /// The bytes of the event with which the hub closes a session.
    static let closingBytes = 13
    /// The most bytes of a short imported answer. Longer ones have a kind of their own, with a count of two bytes.
    static let shortImportedText = 200

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
            bytes = Self.seal.begun(reserving: 200 + setup.chart.steps.count / 8 + events.count * 14)
            bytes.append(littleEndian: recordedVersion)
            bytes.append(contentsOf: setup.bytes)
        }
        var before = cursor.events > 0 ? events[cursor.events - 1].atMicroseconds : 0
        for event in events[cursor.events...] {
            bytes.append(event.input.kind)
            bytes.append(littleEndian: UInt32(clamping: event.atMicroseconds - before))
            before = event.atMicroseconds
            bytes.append(event.input, claim)
        }
        cursor.advance(bytes: bytes.count, events: events.count)
        return bytes
    }

    /// The session of these bytes, played through: its view and its result are those of its last event.
    ///
    /// - Parameter isComplete: whether no more bytes come. If some may, an event that is cut off at the end is left out.
    public static func decoded(_ bytes: [UInt8], isComplete: Bool = true) throws(SessionCodecError) -> DrumSession {
        guard bytes.count <= Limits.bytes else { throw .tooManyEvents }
        var reader = try seal.reader(of: bytes, failing: SessionCodecError.self)
        let version = reader.uint16()
        var session = try DrumSession(setup: try SessionSetup(&reader), recordedVersion: version)
        session.reserve(events: min(reader.remaining / leastEventBytes, Limits.events))
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
        session.endReplay()
        return session
    }

    private mutating func readEvent(_ index: Int, _ reader: inout LittleEndianReader) throws(SessionCodecError) {
        let kind = reader.uint8()
        let delta = reader.uint32()
        var claim: SessionClaim?
        let input = try Self.readInput(kind, index, &reader, &claim)
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        switch input {
        case .start, .opened, .closed:
            // Of these no clock tells how long it was since.
            guard delta == 0 else { throw .event(index) }
        default: break
        }
        guard let before = events.last else {
            guard case .start = input else { throw .doesNotBegin }
            replay(SessionEvent(input: input, atMicroseconds: 0), claim: nil)
            return
        }
        switch before.input {
        case .finish, .closed: throw .afterEnd(index)
        case .stop: guard input == .finish else { throw .afterEnd(index) }
        default: break
        }
        switch input {
        case .start: throw .outOfOrder(index)
        case .imported: guard setup.link == .imported else { throw .outOfOrder(index) }
        default: break
        }
        replay(SessionEvent(input: input, atMicroseconds: before.atMicroseconds + Int64(delta)), claim: claim)
    }

    static func readInput(
        _ kind: UInt8, _ index: Int, _ reader: inout LittleEndianReader, _ claim: inout SessionClaim?
    ) throws(SessionCodecError) -> SessionInput {
        switch kind {
        case 1: return .start(wall: reader.int64())
        case 2: return .cueShown(step: Int(reader.uint16()))
        case 3:
            let bytes = reader.takeCounted()
            guard bytes.count <= Limits.message else { throw .event(index) }
            return .message(bytes)
        case 4:
            let drum = Drum(rawValue: reader.uint8())
            let velocity = reader.uint8()
            guard let drum, velocity <= 127, let link = LinkKind(rawValue: reader.uint8()), !link.hasOwnClock else {
                throw .event(index)
            }
            return .strike(drum, velocity: velocity, link: link)
        case 5: return .pause
        case 6: return .resume
        case 7: return .linkLost
        case 8:
            let link = LinkKind(rawValue: reader.uint8())
            let latencyTenths = reader.uint16()
            guard let link, link != .imported else { throw .event(index) }
            return .linkBack(link, latencyTenths: latencyTenths)
        case 9: return .opened(wall: reader.int64())
        case 10: return .stop
        case 11:
            claim = SessionClaim(
                right: reader.uint16(), answered: reader.uint16(), medianTenths: reader.uint32())
            return .finish
        case 12:
            let step = reader.uint16()
            let text = reader.takeCounted()
            guard text.count <= shortImportedText else { throw .event(index) }
            return .imported(step: Int(step), text: text)
        case 13: return .closed(wall: reader.int64())
        case 14:
            let step = reader.uint16()
            let text = reader.take(Int(reader.uint16()))
            guard reader.isCutOff || (text.count > shortImportedText && text.count <= Limits.importedText) else {
                throw .event(index)
            }
            return .imported(step: Int(step), text: text)
        case 15:
            let drum = Drum(rawValue: reader.uint8())
            let setting = Crosstalk(milliseconds: reader.uint8(), percent: reader.uint8())
            guard let drum, setting.isPossible else { throw .event(index) }
            return .crosstalk(drum, setting)
        default: throw .unknownKind(index)
        }
    }
}

extension [UInt8] {
    /// Appends the content of an event, which depends on its kind.
    fileprivate mutating func append(_ input: SessionInput, _ claim: SessionClaim?) {
        switch input {
        case .tick, .pause, .resume, .linkLost, .stop: break
        case .start(let wall), .opened(let wall), .closed(let wall): append(littleEndian: wall)
        case .cueShown(let step): append(littleEndian: UInt16(clamping: step))
        case .message(let bytes): append(counted: bytes)
        case .strike(let drum, let velocity, let link):
            append(drum.rawValue)
            append(velocity)
            append(link.rawValue)
        case .linkBack(let link, let latencyTenths):
            append(link.rawValue)
            append(littleEndian: latencyTenths)
        case .crosstalk(let drum, let setting):
            append(drum.rawValue)
            append(setting.milliseconds)
            append(setting.percent)
        case .finish:
            append(littleEndian: claim?.right ?? 0)
            append(littleEndian: claim?.answered ?? 0)
            append(littleEndian: claim?.medianTenths ?? 0)
        case .imported(let step, let text):
            append(littleEndian: UInt16(clamping: step))
            if text.count > DrumSession.shortImportedText {
                append(littleEndian: UInt16(clamping: text.count))
                append(contentsOf: text)
            } else {
                append(counted: text)
            }
        }
    }
}
