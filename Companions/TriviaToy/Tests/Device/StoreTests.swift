import DeviceHAL
import DeviceParts
import TestInstruments
import Testing
import TriviaToyEngine
import TriviaToyVirtualBoard
import Wire

@testable import TriviaToyDevice

@Suite("What the toy keeps in its flash memory")
struct StoreTests {
    static func text(_ id: UInt32) -> [UInt8] {
        Array("Fact \(id): ".utf8) + [UInt8](repeating: UInt8(97 + id % 26), count: Int(id * 37 % 300))
    }

    @discardableResult
    static func put(_ id: UInt32, _ store: inout FactStore, _ memory: inout FlashModel) throws -> FactStore.Outcome {
        try store.store(FactMessage(id: id), text: text(id).span, speaking: nil, &memory)
    }

    static func stored(_ store: FactStore, _ memory: inout FlashModel) throws -> [UInt32] {
        var ids: [UInt32] = []
        var last: FactStore.Stored?
        while let fact = try store.next(above: last?.number ?? 0, hint: last, &memory) {
            ids.append(fact.id)
            #expect(Array(memory.bytes[fact.text]) == text(fact.id))
            last = fact
        }
        return ids
    }

    @Test("Facts are read back in their order, after a restart too, and the same one is stored once")
    func order() throws {
        var memory = FlashModel(pageCount: 8)
        var store = FactStore(firstPage: 0, pages: 8)
        try store.mount(&memory)
        for id: UInt32 in 1...40 { try Self.put(id, &store, &memory) }
        #expect(try Self.put(7, &store, &memory) == .alreadyThere)
        #expect(try Self.stored(store, &memory) == Array(1...40))
        var again = FactStore(firstPage: 0, pages: 8)
        try again.mount(&memory)
        #expect(try Self.stored(again, &memory) == Array(1...40))
        #expect((again.count, again.newest, again.oldest) == (40, 40, 1))
        #expect(again.count(above: 38) == 2)
    }

    @Test("When the memory is full the oldest page goes, and every page is erased equally often")
    func wear() throws {
        var memory = FlashModel(pageCount: 6)
        var store = FactStore(firstPage: 0, pages: 6)
        try store.mount(&memory)
        for id: UInt32 in 1...400 { try Self.put(id, &store, &memory) }
        let ids = try Self.stored(store, &memory)
        #expect(ids.last == 400 && ids.count == store.count && ids == Array(ids[0]...400))
        let (least, most) = (memory.erasures.min() ?? 0, memory.erasures.max() ?? 0)
        print("erasures of a page for 400 facts in 6 pages: \(least) to \(most)")
        #expect(most - least <= 1)
        #expect(memory.overwrites == 0)
    }

    @Test("There are never more facts than the limit")
    func most() throws {
        var memory = FlashModel(pageCount: 8, pageSize: 512)
        var store = FactStore(firstPage: 0, pages: 8, pageSize: 512)
        store.limit = 50
        try store.mount(&memory)
        for id: UInt32 in 1...120 {
            _ = try store.store(FactMessage(id: id), text: Array("F\(id)".utf8).span, speaking: nil, &memory)
            #expect(store.count <= 50)
        }
        #expect(store.count > 25 && store.newest == 120)
        #expect(FactStore.most == 2_000)
    }

    @Test("A page that is being spoken from is not erased")
    func busy() throws {
        var memory = FlashModel(pageCount: 3)
        var store = FactStore(firstPage: 0, pages: 3)
        try store.mount(&memory)
        try Self.put(1, &store, &memory)
        let speaking = try store.next(above: 0, hint: nil, &memory)
        var outcome = FactStore.Outcome.stored
        var id: UInt32 = 1
        while outcome == .stored, id < 500 {
            id += 1
            outcome = try store.store(FactMessage(id: id), text: Self.text(id).span, speaking: speaking, &memory)
        }
        #expect(outcome == .busy)
        #expect(try Self.stored(store, &memory).first == 1)
    }

    @Test("After a power cut at any byte of any write all facts that were stored are there, and more can be")
    func cutFacts() throws {
        // Eighteen facts go round three pages, so that every kind of write comes: records, page headers, erasures.
        func writes(_ memory: inout FlashModel) -> UInt32 {
            var store = FactStore(firstPage: 0, pages: 3, pageSize: 512)
            var acknowledged: UInt32 = 0
            guard (try? store.mount(&memory)) != nil else { return 0 }
            for id: UInt32 in 1...18 {
                guard (try? Self.put(id, &store, &memory)) == .stored else { break }
                acknowledged = id
            }
            return acknowledged
        }
        var whole = FlashModel(pageCount: 3, pageSize: 512)
        _ = writes(&whole)
        print("power is cut at each of \(whole.writes) writes of the fact store")
        for cut in 0..<whole.writes {
            var memory = FlashModel(pageCount: 3, pageSize: 512)
            memory.faults.cutAfter = cut
            let acknowledged = writes(&memory)
            memory.powerOn()
            var store = FactStore(firstPage: 0, pages: 3, pageSize: 512)
            try store.mount(&memory)
            let ids = try Self.stored(store, &memory)
            let isWhole = acknowledged == 0 ? ids.isEmpty : ids.last == acknowledged || ids.last == acknowledged + 1
            #expect(
                isWhole && ids == Array((ids.first ?? 1)..<(ids.last ?? 0) + 1), "cut \(cut): \(ids), \(acknowledged)")
            for id: UInt32 in 901...903 { #expect(try Self.put(id, &store, &memory) == .stored, "cut \(cut)") }
            #expect(try Self.stored(store, &memory).suffix(3) == [901, 902, 903], "cut \(cut)")
            guard isWhole else { break }
        }
    }

    @Test("After a power cut at any byte of any write the journal still knows each play, vote and rule that it took")
    func cutJournal() throws {
        struct Taken { var plays: UInt32 = 0, ended: UInt32 = 0, reported: UInt32 = 0, limit = HouseRules.unlimited }
        func use(_ memory: inout FlashModel) -> Taken {
            var taken = Taken()
            var journal = Journal(firstPage: 0, pages: 3, pageSize: 512)
            do {
                try journal.mount(&memory)
                for number: UInt32 in 1...40 {
                    taken.plays = try journal.begin(
                        fact: number, number: number, cause: .thrown, time: 0, day: 0, &memory)
                    try journal.end(.finished, &memory)
                    taken.ended = number
                    guard number % 10 == 0 else { continue }
                    try journal.markReported(number - 5, &memory)
                    taken.reported = number - 5
                    var rules = HouseRules()
                    rules.dailyLimit = UInt16(number)
                    try journal.store(rules: rules, &memory)
                    taken.limit = rules.dailyLimit
                }
            } catch {}
            return taken
        }
        var whole = FlashModel(pageCount: 3, pageSize: 512)
        _ = use(&whole)
        print("power is cut at each of \(whole.writes) writes of the journal")
        for cut in 0..<whole.writes {
            var memory = FlashModel(pageCount: 3, pageSize: 512)
            memory.faults.cutAfter = cut
            let taken = use(&memory)
            memory.powerOn()
            var journal = Journal(firstPage: 0, pages: 3, pageSize: 512)
            try journal.mount(&memory)
            let isWhole =
                (taken.plays...taken.plays + 1).contains(journal.state.sequence)
                && journal.state.heard == journal.state.sequence && journal.state.reported >= taken.reported
                && (journal.rules.dailyLimit == taken.limit || cut < whole.writes)
            #expect(isWhole, "cut \(cut): \(journal.state), \(taken)")
            #expect(
                journal.rules.dailyLimit == taken.limit || journal.rules.dailyLimit == UInt16(taken.plays), "cut \(cut)"
            )
            try journal.end(.cutOff, &memory)
            if case .play(let play)? = try journal.nextReport(&memory) {
                #expect(play.sequence == journal.state.reported + 1, "cut \(cut)")
                #expect(play.ending == (play.sequence <= taken.ended ? .finished : play.ending), "cut \(cut)")
            } else {
                #expect(journal.unreported == 0, "cut \(cut)")
            }
            guard isWhole else { break }
        }
    }

    @Test("Reports that the journal has no room for are counted")
    func lost() throws {
        var memory = FlashModel(pageCount: 3)
        var journal = Journal(firstPage: 0, pages: 3)
        try journal.mount(&memory)
        try journal.store(settings: LinkSettings(), &memory)
        for number: UInt32 in 1...2_000 {
            try journal.begin(fact: number, number: number, cause: .shaken, time: 0, day: 0, &memory)
            try journal.end(.finished, &memory)
        }
        #expect(journal.state.lost > 1_000)
        #expect(journal.state.lost + journal.unreported == 2_000)
        let report = try #require(try journal.nextReport(&memory))
        #expect(report.sequence == journal.state.lost + 1)
        #expect(memory.overwrites == 0)
    }
}
