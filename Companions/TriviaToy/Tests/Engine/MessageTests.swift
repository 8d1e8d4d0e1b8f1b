import TestInstruments
import Testing
import TriviaToyEngine
import Wire

@Suite("Messages between toy and hub")
struct MessageTests {
    @Test("Each message is these bytes, and is read back")
    func vectors() throws {
        var bytes: [UInt8] = []
        try FactMessage(id: 0x0102_0304, category: .space, difficulty: .hard, language: .castilianSpanish)
            .encode(text: Array("Hi".utf8).span, into: &bytes)
        #expect(bytes == [1, 4, 3, 2, 1, 0, 4, 2, 1, 0, 0x48, 0x69])
        let fact = try FactMessage(decoding: bytes.span)
        #expect(fact.id == 0x0102_0304 && fact.category == .space && Array(bytes[fact.text]) == Array("Hi".utf8))

        let play = PlayReport(sequence: 7, fact: 258, time: 1, cause: .shaken, ending: .stopped)
        bytes = []
        play.encode(into: &bytes)
        #expect(bytes == [1, 7, 0, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0, 2, 1] && bytes.count == PlayReport.size)
        #expect(try PlayReport(decoding: bytes.span) == play)

        let vote = VoteReport(sequence: 8, fact: 1, time: 0, vote: .down)
        bytes = []
        vote.encode(into: &bytes)
        #expect(bytes == [1, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF] && bytes.count == VoteReport.size)
        #expect(try VoteReport(decoding: bytes.span) == vote)

        var status = StatusReport()
        (status.uptime, status.batteryPercent, status.volume, status.wanted) = (3, 15, -12, 100)
        bytes = []
        status.encode(into: &bytes)
        #expect(bytes.count == StatusReport.size)
        #expect(try StatusReport(decoding: bytes.span) == status)

        var rules = HouseRules()
        (rules.quietStart, rules.quietEnd, rules.dailyLimit, rules.volumeCap) = (1_200, 420, 20, -6)
        let message = RulesMessage(now: 5, utcOffset: -90, rules: rules)
        bytes = []
        message.encode(into: &bytes)
        #expect(
            bytes == [1, 5, 0, 0, 0, 0xA6, 0xFF, 0xB0, 4, 0xA4, 1, 20, 0, 0xFA, 150, 0, 0, 1]
                && bytes.count == RulesMessage.size)
        #expect(try RulesMessage(decoding: bytes.span) == message)
    }

    @Test("What is wrong is said")
    func faults() {
        func fault(_ bytes: [UInt8]) -> MessageFault? {
            do throws(MessageFault) { _ = try VoteReport(decoding: bytes.span) } catch { return error }
            return nil
        }
        #expect(fault([]) == .cutOff(count: 0))
        #expect(fault([2]) == .unknownVersion(2))
        #expect(fault([1, 0]) == .cutOff(count: 2))
        #expect(fault([1, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7]) == .outOfRange(.vote))
        #expect(fault([1, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]) == .trailingBytes(count: 1))
        var bytes: [UInt8] = []
        #expect(throws: MessageFault.textTooLong(bytes: 5_000)) {
            try FactMessage(id: 1).encode(text: [UInt8](repeating: 65, count: 5_000).span, into: &bytes)
        }
        #expect(throws: MessageFault.textNotUTF8) {
            try FactMessage(id: 1).encode(text: ([0xFF] as [UInt8]).span, into: &bytes)
        }
    }

    @Test("Whatever comes, a message or a fault comes out", arguments: UInt64(1)...40)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if !bytes.isEmpty, Bool.random(using: &random) { bytes[0] = 1 }
            if let rules = try? RulesMessage(decoding: bytes.span) { #expect(rules.rules.fault == nil, "seed \(seed)") }
            if let play = try? PlayReport(decoding: bytes.span) {
                var again: [UInt8] = []
                play.encode(into: &again)
                #expect(again == bytes, "seed \(seed)")
            }
            _ = try? FactMessage(decoding: bytes.span)
            _ = try? StatusReport(decoding: bytes.span)
            _ = try? ImprovPacket(decoding: bytes.span)
            _ = ImprovCommand.decoding(bytes.span)
            _ = try? ProvisioningMessage(decoding: bytes.span)
        }
    }

    @Test("Quiet hours over midnight, and limits")
    func rules() {
        var rules = HouseRules()
        #expect(rules.silence(minuteOfDay: nil, playedToday: 9_999) == nil)
        (rules.quietStart, rules.quietEnd) = (20 * 60, 7 * 60)
        #expect(rules.silence(minuteOfDay: 19 * 60 + 59, playedToday: 0) == nil)
        #expect(rules.silence(minuteOfDay: 20 * 60, playedToday: 0) == .quietHours)
        #expect(rules.silence(minuteOfDay: 6 * 60 + 59, playedToday: 0) == .quietHours)
        #expect(rules.silence(minuteOfDay: 7 * 60, playedToday: 0) == nil)
        rules.speaksWithoutClock = false
        #expect(rules.silence(minuteOfDay: nil, playedToday: 0) == .unknownTime)
        rules.dailyLimit = 3
        #expect(rules.silence(minuteOfDay: 600, playedToday: 2) == nil)
        #expect(rules.silence(minuteOfDay: 600, playedToday: 3) == .dailyLimit)
    }
}

@Suite("The next fact")
struct FactChoiceTests {
    @Test(
        "Never one that was heard while unheard ones remain; then the one heard longest ago", arguments: UInt64(1)...30)
    func unheardFirst(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var facts = (1...60).map { id in
            FactCandidate(
                id: UInt32(id), category: FactCategory.allCases.randomElement(using: &random) ?? .general,
                youngestAge: UInt8.random(in: 0...14, using: &random),
                upvotes: UInt32.random(in: 0...9, using: &random),
                downvotes: UInt32.random(in: 0...9, using: &random))
        }
        var categories = FactCategories(bits: 0)
        for category in FactCategory.allCases where Bool.random(using: &random) { categories.insert(category) }
        let choice = FactChoice(categories: categories, age: UInt8.random(in: 3...16, using: &random))
        let allowed = facts.filter { choice.allows($0) }.count
        var heard: [UInt32] = []
        for turn in 0..<2 * allowed {
            guard let next = choice.next(of: facts), let place = facts.firstIndex(where: { $0.id == next.id }) else {
                break
            }
            #expect(choice.allows(next))
            heard.append(next.id)
            facts[place].heardAt = Int64(turn)
        }
        #expect(Set(heard.prefix(allowed)).count == allowed, "seed \(seed)")
        #expect(Array(heard.prefix(allowed)) == Array(heard.dropFirst(allowed)), "seed \(seed)")
    }

    @Test("Better-voted facts come sooner, and one vote is not everything")
    func rank() {
        let none = FactCandidate(id: 1, category: .art)
        let one = FactCandidate(id: 2, category: .art, upvotes: 1)
        let many = FactCandidate(id: 3, category: .art, upvotes: 40, downvotes: 4)
        let bad = FactCandidate(id: 4, category: .art, downvotes: 2)
        #expect([none, one, many, bad].map(\.rank) == [500, 666, 891, 250])
        #expect(FactChoice(age: 9).next(of: [bad, none, one, many]) == many)
        #expect(FactCandidate(id: 1, category: .art, upvotes: .max, downvotes: .max).rank == 500)
    }
}
