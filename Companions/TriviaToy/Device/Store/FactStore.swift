import DeviceHAL
import DeviceParts
import TriviaToyEngine
import Wire

/// The store of facts in flash memory, in the order in which they came; the oldest are erased when there is no room.
///
/// It needs no index: the next fact is found from the place of the last one, and its text is read from the memory while
/// it is spoken.
public struct FactStore: Sendable {
    /// A fact that is stored, or that is part of the image.
    public struct Stored: Equatable, Sendable {
        /// The number of the fact, which counts all facts that were ever stored, from 1 on; 0 for one of the image.
        public var number: UInt32
        /// The identifier of the fact.
        public var id: UInt32
        /// The language it is spoken in.
        public var language: FactLanguage
        /// The place of its text in the memory; in the image's text for one of the image.
        public var text: Range<Int>
        var record: PageLog.Record

        /// The index of a fact of the image; nil for one of the memory.
        var starter: Int? { StarterFacts.index(of: id) }

        fileprivate init(number: UInt32, id: UInt32, language: FactLanguage, text: Range<Int>, record: PageLog.Record) {
            self.number = number
            self.id = id
            self.language = language
            self.text = text
            self.record = record
        }

        /// A fact of the image, which no record is in the memory for.
        init(starter index: Int) {
            let text = 0..<StarterFacts.fact(index).text.utf8CodeUnitCount
            let place = PageLog.Place(page: 0, offset: 0)
            self.init(
                number: 0, id: StarterFacts.firstID + UInt32(index), language: .english, text: text,
                record: PageLog.Record(kind: 0, number: 0, place: place, content: 0..<0))
        }
    }

    /// The outcome of storing a fact.
    public enum Outcome: Equatable, Sendable {
        /// The fact is stored.
        case stored
        /// The fact was stored already.
        case alreadyThere
        /// The page of the fact is being spoken from; it is to be sent again.
        case busy
    }

    /// The most facts.
    public static var most: Int { 2_000 }
    /// The bytes of a record before the text: id, category, difficulty, language, kind.
    static var prefix: Int { 8 }
    private static var factKind: UInt8 { 1 }

    private var log: PageLog
    /// The most facts of this store.
    var limit = FactStore.most
    /// The number of stored facts.
    public private(set) var count = 0
    /// The number of the newest fact, 0 for none.
    public private(set) var newest: UInt32 = 0
    /// The number of the oldest fact.
    public private(set) var oldest: UInt32 = 0

    /// A store over a number of pages of 4 KB, at least 3. 240 hold 2,000 facts of 480 bytes.
    public init(firstPage: Int, pages: Int, pageSize: Int = 4_096) {
        log = PageLog(firstPage: firstPage, pages: pages, mark: UInt8(ascii: "F"), pageSize: pageSize)
    }

    /// Finds the stored facts.
    /// - Parameter heard: the highest number that was spoken, so that facts which come into an emptied memory are new.
    public mutating func mount(heard: UInt32 = 0, _ memory: inout some FlashMemory) throws(FlashError) {
        try log.mount(&memory)
        count = 0
        newest = heard
        oldest = 0
        var record = try firstRecord(&memory)
        while let found = record {
            if count == 0 { oldest = found.number }
            newest = max(newest, found.number)
            count += 1
            record = try log.next(after: found, &memory)
        }
    }

    /// The number of facts with a number above `number`.
    public func count(above number: UInt32) -> Int {
        count == 0 ? 0 : Int(newest - min(max(number, oldest - 1), newest))
    }

    /// Stores a fact.
    /// - Parameter speaking: the fact that is being spoken, whose page is not erased.
    public mutating func store(
        _ fact: FactMessage, text: Span<UInt8>, speaking: Stored?, _ memory: inout some FlashMemory
    ) throws(FlashError) -> Outcome {
        guard try !contains(fact.id, &memory) else { return .alreadyThere }
        if count >= limit, let place = log.oldest {
            // The oldest page goes as a whole, which is one erasure for some twenty facts.
            if speaking?.record.place.page == place.page { return .busy }
            try dropOldestPage(&memory)
        }
        if log.needsPage(forBytes: Self.prefix + text.count, memory) {
            if let page = log.pageAboutToBeErased {
                if speaking?.record.place.page == page { return .busy }
                try dropOldestPage(&memory)
            }
            try log.openPage(&memory)
        }
        var prefix = FixedBytes<8>()
        prefix.put(fact.id)
        prefix.append(fact.category.rawValue)
        prefix.append(fact.difficulty.rawValue)
        prefix.append(fact.language.rawValue)
        prefix.append(fact.kind.rawValue)
        let number = newest + 1
        try prefix.withBytes { (span) throws(FlashError) in
            _ = try log.append(kind: Self.factKind, number: number, prefix: span, content: text, &memory)
        }
        newest = number
        if count == 0 { oldest = number }
        count += 1
        return .stored
    }

    /// The first fact with a number above `number`; nil where there is none.
    /// - Parameter hint: a fact at or before that number, from which the search begins.
    public func next(above number: UInt32, hint: Stored?, _ memory: inout some FlashMemory) throws(FlashError)
        -> Stored?
    {
        guard count > 0, number < newest else { return nil }
        var record: PageLog.Record?
        if let hint, hint.number <= number, hint.number >= oldest {
            record = hint.record
        } else {
            record = try firstRecord(&memory)
        }
        while let found = record {
            if found.number > number { return try stored(found, &memory) }
            record = try log.next(after: found, &memory)
        }
        return nil
    }

    /// Whether a fact is stored.
    public func contains(_ id: UInt32, _ memory: inout some FlashMemory) throws(FlashError) -> Bool {
        var record = try firstRecord(&memory)
        while let found = record {
            if try stored(found, &memory).id == id { return true }
            record = try log.next(after: found, &memory)
        }
        return false
    }

    private func firstRecord(_ memory: inout some FlashMemory) throws(FlashError) -> PageLog.Record? {
        guard let place = log.oldest else { return nil }
        return try log.first(from: place, &memory)
    }

    /// Erases the facts of the oldest page.
    private mutating func dropOldestPage(_ memory: inout some FlashMemory) throws(FlashError) {
        guard let page = log.oldest?.page else { return }
        var record = try firstRecord(&memory)
        while let found = record, found.place.page == page {
            count -= 1
            record = try log.next(after: found, &memory)
        }
        oldest = record?.number ?? newest + 1
        try log.eraseOldest(&memory)
    }

    private func stored(_ record: PageLog.Record, _ memory: inout some FlashMemory) throws(FlashError) -> Stored {
        var bytes = InlineArray<8, UInt8>(repeating: 0)
        try memory.read(into: &bytes, at: record.content.lowerBound)
        let id = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 24
        return Stored(
            number: record.number, id: id, language: FactLanguage(rawValue: bytes[6]) ?? .english,
            text: min(record.content.lowerBound + Self.prefix, record.content.upperBound)..<record.content.upperBound,
            record: record)
    }
}
