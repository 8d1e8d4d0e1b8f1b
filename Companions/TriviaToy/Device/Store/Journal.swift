import DeviceHAL
import DeviceParts
import TriviaToyEngine
import Wire

/// The journal of data that must survive a power cut: the facts that were heard, plays and votes that the hub does not
/// know yet, the rules of the house, and the settings of the link.
///
/// A log of its own whose every page begins with all that is still needed, so that the oldest page can be erased.
public struct Journal: Sendable {
    /// The state that is known without reading the memory.
    public struct State: Equatable, Sendable {
        /// The sequence number of the last play or vote.
        public var sequence: UInt32 = 0
        /// The sequence number up to which the hub has stored all.
        public var reported: UInt32 = 0
        /// The number of reports that were erased before the hub had them.
        public var lost: UInt32 = 0
        /// The highest number of a fact that was spoken.
        public var heard: UInt32 = 0
        /// The number of the fact that was spoken last.
        public var lastNumber: UInt32 = 0
        /// The local day, days since 1970, of ``playedToday``; 0 while no time is known.
        public var day: UInt32 = 0
        /// The number of facts spoken on that day.
        public var playedToday: UInt16 = 0
        /// The index of the image's fact that is spoken next, where no other one is.
        public var starter = 0
    }

    /// A report that the hub waits for.
    public enum Report: Equatable, Sendable {
        case play(PlayReport)
        case vote(VoteReport)

        /// The sequence number.
        public var sequence: UInt32 {
            switch self {
            case .play(let play): play.sequence
            case .vote(let vote): vote.sequence
            }
        }
    }

    /// The kinds of records.
    enum Kind {
        static var state: UInt8 { 1 }
        static var play: UInt8 { 2 }
        static var ending: UInt8 { 3 }
        static var vote: UInt8 { 4 }
        static var reported: UInt8 { 5 }
        static var rules: UInt8 { 6 }
        static var settings: UInt8 { 7 }
    }

    private var log: PageLog
    /// The current state.
    public private(set) var state = State()
    /// The rules that were received last.
    public private(set) var rules = HouseRules()
    /// The settings of the link; nil before the set-up.
    public private(set) var settings: LinkSettings?
    /// The play that was begun and not ended: the power was cut, or it goes on.
    public private(set) var openPlay: UInt32?

    /// A journal over a number of pages of 4 KB, at least 3. Eight hold some 1,000 reports.
    public init(firstPage: Int, pages: Int, pageSize: Int = 4_096) {
        log = PageLog(firstPage: firstPage, pages: pages, mark: UInt8(ascii: "J"), pageSize: pageSize)
    }

    /// The number of reports that the hub has not stored yet.
    public var unreported: UInt32 { state.sequence - state.reported }

    /// Reads all records. A play that the power cut off is ended as such by the caller.
    public mutating func mount(_ memory: inout some FlashMemory) throws(FlashError) {
        try log.mount(&memory)
        var record: PageLog.Record?
        if let place = log.oldest { record = try log.first(from: place, &memory) }
        while let found = record {
            try replay(found, &memory)
            record = try log.next(after: found, &memory)
        }
    }

    /// Records that a fact is being spoken.
    /// - Returns: its sequence number.
    @discardableResult
    public mutating func begin(
        fact: UInt32, number: UInt32, cause: PlayCause, time: UInt32, day: UInt32, _ memory: inout some FlashMemory
    ) throws(FlashError) -> UInt32 {
        var bytes = FixedBytes<64>()
        bytes.put(fact)
        bytes.put(time)
        bytes.append(cause.rawValue)
        bytes.put(number)
        bytes.put(day)
        let sequence = state.sequence + 1
        try append(Kind.play, sequence, bytes, &memory)
        played(sequence, fact: fact, number: number, day: day)
        return sequence
    }

    /// Records that the fact has ended.
    public mutating func end(_ ending: PlayEnding, _ memory: inout some FlashMemory) throws(FlashError) {
        guard let sequence = openPlay else { return }
        var bytes = FixedBytes<64>()
        bytes.append(ending.rawValue)
        try append(Kind.ending, sequence, bytes, &memory)
        openPlay = nil
    }

    /// Records a vote.
    public mutating func vote(_ vote: FactVote, fact: UInt32, time: UInt32, _ memory: inout some FlashMemory)
        throws(FlashError)
    {
        var bytes = FixedBytes<64>()
        bytes.put(fact)
        bytes.put(time)
        bytes.append(UInt8(bitPattern: vote.rawValue))
        try append(Kind.vote, state.sequence + 1, bytes, &memory)
        state.sequence += 1
    }

    /// Records that the hub has stored a report, and all before it.
    public mutating func markReported(_ sequence: UInt32, _ memory: inout some FlashMemory) throws(FlashError) {
        guard sequence > state.reported, sequence <= state.sequence else { return }
        try append(Kind.reported, sequence, FixedBytes<64>(), &memory)
        state.reported = sequence
    }

    /// Stores the rules of the house.
    public mutating func store(rules: HouseRules, _ memory: inout some FlashMemory) throws(FlashError) {
        guard rules != self.rules else { return }
        var bytes = FixedBytes<64>()
        rules.encode(into: &bytes)
        try append(Kind.rules, 0, bytes, &memory)
        self.rules = rules
    }

    /// Stores the settings of the link.
    public mutating func store(settings: LinkSettings, _ memory: inout some FlashMemory) throws(FlashError) {
        try open(LinkSettings.longest, &memory)
        try write(settings, &memory)
        self.settings = settings
    }

    /// The oldest report that the hub has not stored and that is complete.
    public mutating func nextReport(_ memory: inout some FlashMemory) throws(FlashError) -> Report? {
        guard unreported > 0, let place = log.oldest else { return nil }
        var record = try log.first(from: place, &memory)
        while let found = record {
            if found.number > state.reported, found.number <= state.sequence {
                if found.kind == Kind.vote { return .vote(try vote(found, &memory)) }
                if found.kind == Kind.play { return try play(found, &memory).map { .play($0) } }
            }
            record = try log.next(after: found, &memory)
        }
        // They were erased: what is left to tell is how many they were.
        if openPlay == nil { try forget(upTo: state.sequence, &memory) }
        return nil
    }

    /// The plays that the hub has not stored and that are complete, for a server that is told their number alone.
    ///
    /// - Returns: how many they are, and the sequence number up to which all plays and votes are counted.
    public mutating func playsToReport(most: UInt16, _ memory: inout some FlashMemory) throws(FlashError)
        -> (count: UInt16, upTo: UInt32)
    {
        var (count, upTo) = (UInt16(0), state.reported)
        var record: PageLog.Record?
        if unreported > 0, let place = log.oldest { record = try log.first(from: place, &memory) }
        while let found = record, count < most {
            if found.number > state.reported, found.number <= state.sequence {
                if found.kind == Kind.vote { upTo = found.number }
                if found.kind == Kind.play {
                    if openPlay == found.number { return (count, upTo) }
                    count += 1
                    upTo = found.number
                }
            }
            record = try log.next(after: found, &memory)
        }
        // They were erased: what is left to tell is how many they were.
        if upTo == state.reported, openPlay == nil { try forget(upTo: state.sequence, &memory) }
        return (count, upTo)
    }

    // MARK: - Writing

    private mutating func append(
        _ kind: UInt8, _ number: UInt32, _ bytes: FixedBytes<64>, _ memory: inout some FlashMemory
    )
        throws(FlashError)
    {
        try open(bytes.count, &memory)
        try put(kind, number, bytes, &memory)
    }

    private mutating func put(
        _ kind: UInt8, _ number: UInt32, _ bytes: FixedBytes<64>, _ memory: inout some FlashMemory
    )
        throws(FlashError)
    {
        try bytes.withBytes { (span) throws(FlashError) in
            _ = try log.append(kind: kind, number: number, content: span, &memory)
        }
    }

    /// Opens a page if the record needs one, and writes into it all that must outlive the pages before.
    private mutating func open(_ count: Int, _ memory: inout some FlashMemory) throws(FlashError) {
        guard log.needsPage(forBytes: count, memory) else { return }
        if let page = log.pageAboutToBeErased { try loseReports(of: page, &memory) }
        try log.openPage(&memory)
        try putState(&memory)
        var bytes = FixedBytes<64>()
        rules.encode(into: &bytes)
        try put(Kind.rules, 0, bytes, &memory)
        if let settings { try write(settings, &memory) }
    }

    private mutating func putState(_ memory: inout some FlashMemory) throws(FlashError) {
        var bytes = FixedBytes<64>()
        bytes.put(state.reported)
        bytes.put(state.lost)
        bytes.put(state.heard)
        bytes.put(state.lastNumber)
        bytes.put(state.day)
        bytes.put(state.playedToday)
        bytes.append(UInt8(state.starter))
        try put(Kind.state, state.sequence, bytes, &memory)
    }

    private mutating func write(_ settings: LinkSettings, _ memory: inout some FlashMemory) throws(FlashError) {
        var bytes = FixedBytes<320>()
        settings.encode(into: &bytes)
        try bytes.withBytes { (span) throws(FlashError) in
            _ = try log.append(kind: Kind.settings, number: 0, content: span, &memory)
        }
    }

    /// Counts the reports of a page that is about to be erased.
    private mutating func loseReports(of page: UInt16, _ memory: inout some FlashMemory) throws(FlashError) {
        guard let place = log.oldest else { return }
        var highest = state.reported
        var record = try log.first(from: place, &memory)
        while let found = record, found.place.page == page {
            if found.kind == Kind.play || found.kind == Kind.vote { highest = max(highest, found.number) }
            record = try log.next(after: found, &memory)
        }
        guard highest > state.reported, highest <= state.sequence else { return }
        state.lost += highest - state.reported
        state.reported = highest
    }

    private mutating func forget(upTo sequence: UInt32, _ memory: inout some FlashMemory) throws(FlashError) {
        state.lost += sequence - state.reported
        state.reported = sequence
        try open(23, &memory)
        try putState(&memory)
    }

    // MARK: - Reading

    private mutating func played(_ sequence: UInt32, fact: UInt32, number: UInt32, day: UInt32) {
        state.sequence = max(state.sequence, sequence)
        state.heard = max(state.heard, number)
        if let starter = StarterFacts.index(of: fact) {
            state.starter = (starter + 1) % StarterFacts.count
        } else {
            state.lastNumber = number
        }
        if day != 0, day != state.day {
            state.day = day
            state.playedToday = 0
        }
        state.playedToday = state.playedToday == .max ? .max : state.playedToday + 1
        openPlay = sequence
    }

    private mutating func replay(_ record: PageLog.Record, _ memory: inout some FlashMemory) throws(FlashError) {
        let bytes = try content(record, &memory)
        switch record.kind {
        case Kind.state where bytes.count == 22 || bytes.count == 23:
            state = State(
                sequence: max(state.sequence, record.number), reported: bytes.uint32(0), lost: bytes.uint32(4),
                heard: bytes.uint32(8), lastNumber: bytes.uint32(12), day: bytes.uint32(16),
                playedToday: UInt16(bytes[20]) | UInt16(bytes[21]) << 8,
                // Firmware that had no facts of its own wrote none of them.
                starter: bytes.count == 23 ? Int(bytes[22]) % StarterFacts.count : 0)
        case Kind.play where bytes.count == 17:
            played(record.number, fact: bytes.uint32(0), number: bytes.uint32(9), day: bytes.uint32(13))
        case Kind.ending: if openPlay == record.number { openPlay = nil }
        case Kind.vote: state.sequence = max(state.sequence, record.number)
        case Kind.reported: state.reported = max(state.reported, record.number)
        case Kind.rules: rules = bytes.withBytes { try? HouseRules(decoding: $0) } ?? rules
        case Kind.settings: settings = bytes.withBytes { LinkSettings(decoding: $0) } ?? settings
        default: break
        }
    }

    private func play(_ record: PageLog.Record, _ memory: inout some FlashMemory) throws(FlashError) -> PlayReport? {
        guard openPlay != record.number else { return nil }
        let bytes = try content(record, &memory)
        var ending = PlayEnding.cutOff
        var next = try log.next(after: record, &memory)
        while let found = next {
            if found.kind == Kind.ending, found.number == record.number {
                ending = PlayEnding(rawValue: try content(found, &memory)[0]) ?? .cutOff
                break
            }
            if found.kind == Kind.play { break }
            next = try log.next(after: found, &memory)
        }
        return PlayReport(
            sequence: record.number, fact: bytes.uint32(0), time: bytes.uint32(4),
            cause: PlayCause(rawValue: bytes[8]) ?? .button, ending: ending)
    }

    private func vote(_ record: PageLog.Record, _ memory: inout some FlashMemory) throws(FlashError) -> VoteReport {
        let bytes = try content(record, &memory)
        return VoteReport(
            sequence: record.number, fact: bytes.uint32(0), time: bytes.uint32(4),
            vote: FactVote(rawValue: Int8(bitPattern: bytes[8])) ?? FactVote.none)
    }

    private func content(_ record: PageLog.Record, _ memory: inout some FlashMemory) throws(FlashError) -> FixedBytes<
        320
    > {
        var bytes = FixedBytes<320>()
        var byte = InlineArray<1, UInt8>(repeating: 0)
        for address in record.content.prefix(320) {
            try memory.read(into: &byte, at: address)
            bytes.append(byte[0])
        }
        return bytes
    }
}
