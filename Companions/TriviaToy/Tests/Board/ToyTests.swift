import DeviceParts
import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

@Suite("The toy on its virtual board")
struct ToyTests {
    @Test("It joins, connects, takes facts, and speaks the next one when it is thrown")
    func speaks() {
        var bench = ToyBench.online(facts: 3)
        #expect(bench.virtual.toy.machine.link == .online)
        #expect(bench.virtual.toy.facts.count == 3)
        #expect(bench.hub.unacknowledged.isEmpty)
        #expect(bench.hub.token == Array("secret".utf8))
        bench.throwIt()
        bench.throwIt()
        #expect(bench.spoken.map(\.words) == ["Fact number 1 is short.", "Fact number 2 is short."])
        #expect(bench.hub.plays.map(\.fact) == [1, 2])
        #expect(bench.hub.plays.allSatisfy { $0.cause == .thrown && $0.ending == .finished })
        #expect(bench.virtual.toy.journal.unreported == 0)
        #expect(bench.virtual.toy.board.memory.overwrites == 0)
    }

    @Test("From the catch to the first byte of the text it takes less than 150 ms of board time")
    func latency() throws {
        var bench = ToyBench.online(facts: 2)
        let start = bench.now
        let sentBefore = bench.virtual.toy.board.voice.line.sent.count
        bench.virtual.perform(.move(MotionScript.thrown(flight: 600)))
        bench.run(1_500)
        let first = try #require(bench.virtual.toy.board.voice.line.sent.dropFirst(sentBefore).dropFirst().first)
        #expect(first.byte == UInt8(ascii: "F"))
        let landing = start + 160 + 600
        print("throw to first spoken byte: \(first.at - landing) ms of board time after the landing begins")
        #expect(first.at - landing < 150)
    }

    @Test("No fact is heard twice while others were never heard, and after all of them it goes round")
    func roundRobin() {
        var bench = ToyBench.online(facts: 3)
        for _ in 0..<5 { bench.throwIt() }
        #expect(bench.hub.plays.map(\.fact) == [1, 2, 3, 1, 2])
        bench.hub.send(id: 9, "A new one.")
        bench.run(500)
        // What was prepared before it came is not changed for it, unless nothing new was there.
        bench.throwIt()
        #expect(bench.hub.plays.last?.fact == 9)
    }

    @Test("A throw while it speaks stops it and the next fact follows")
    func interrupted() {
        var bench = ToyBench.online(facts: 0)
        for id: UInt32 in 1...2 { bench.hub.send(id: id, String(repeating: "A fact that takes its time. ", count: 3)) }
        bench.run(1_000)
        bench.virtual.perform(.move(MotionScript.thrown()))
        bench.run(3_000)
        bench.virtual.perform(.move(MotionScript.thrown()))
        bench.run(12_000)
        #expect(bench.hub.plays.map(\.ending) == [.stopped, .finished])
        #expect(bench.spoken.first?.isStopped == true)
    }

    @Test("A day without the hub is reported in order when it comes back, each play once")
    func offline() {
        var bench = ToyBench.online(facts: 4)
        bench.virtual.perform(.accessPoint(isGone: true))
        bench.run(500)
        for _ in 0..<6 { bench.throwIt() }
        bench.virtual.perform(.hold(.up, milliseconds: 1_200))
        bench.run(2_000)
        #expect(bench.hub.plays.isEmpty)
        bench.virtual.perform(.powerCut)
        bench.run(4_000)
        bench.throwIt()
        #expect(bench.virtual.toy.journal.unreported == 8)
        bench.virtual.perform(.accessPoint(isGone: false))
        bench.run(80_000)
        #expect(bench.hub.plays.map(\.sequence) == [1, 2, 3, 4, 5, 6, 8])
        #expect(bench.hub.plays.map(\.fact) == [1, 2, 3, 4, 1, 2, 3])
        #expect(bench.hub.votes.map(\.fact) == [2] && bench.hub.votes.first?.vote == .up)
        #expect(bench.virtual.toy.journal.unreported == 0)
    }

    @Test("Votes by the long presses are for the fact that was heard last, and short ones change the volume")
    func votes() {
        var bench = ToyBench.online(facts: 1)
        bench.throwIt()
        bench.virtual.perform(.hold(.down, milliseconds: 1_000))
        bench.run(2_000)
        bench.virtual.perform(.hold(.up, milliseconds: 1_000))
        bench.run(2_000)
        #expect(bench.hub.votes.map(\.vote) == [.down, .up])
        let volume = bench.virtual.toy.volume
        bench.virtual.perform(.hold(.down, milliseconds: 100))
        bench.run(500)
        #expect(bench.virtual.toy.volume == volume - 6)
        #expect(bench.virtual.toy.board.voice.settings["V"] == Int(volume) - 6)
        #expect(bench.hub.votes.count == 2)
    }

    @Test("Quiet hours, the daily limit and the cap of the volume are kept without the hub and after a power cut")
    func houseRules() {
        var bench = ToyBench.online(facts: 5)
        var rules = HouseRules()
        (rules.quietStart, rules.quietEnd) = (20 * 60, 7 * 60)
        rules.dailyLimit = 2
        rules.volumeCap = -12
        rules.speaksWithoutClock = false
        // 2026-11-23 10:00 UTC, in Berlin.
        bench.hub.send(RulesMessage(now: 1_795_428_000, utcOffset: 60, rules: rules))
        bench.run(1_000)
        bench.virtual.perform(.accessPoint(isGone: true))
        for _ in 0..<4 { bench.throwIt() }
        #expect(bench.spoken.count == 2)
        #expect(bench.spoken.allSatisfy { $0.volume == -12 })
        bench.virtual.perform(.powerCut)
        bench.run(4_000)
        bench.throwIt()
        #expect(bench.spoken.count == 2, "the time is not known: it keeps silent")
        #expect(bench.virtual.toy.journal.rules == rules)
    }

    @Test("A fact of 1,500 letters is spoken in two pieces, cut after a sentence")
    func pieces() {
        var bench = ToyBench.online(facts: 0)
        let sentence = "This sentence has exactly fifty letters, or so, ok. "
        bench.hub.send(id: 7, String(repeating: sentence, count: 28))
        bench.run(1_000)
        bench.virtual.perform(.move(MotionScript.thrown()))
        bench.run(140_000)
        #expect(bench.spoken.count == 2)
        #expect(bench.spoken.allSatisfy { $0.text.count <= EMIC2.longestText })
        #expect(bench.spoken.first?.words.hasSuffix("ok. ") == true)
        #expect(bench.spoken.map(\.words).joined() == String(repeating: sentence, count: 28))
        #expect(bench.hub.plays.map(\.ending) == [.finished])
    }

    @Test("Quotes, accents and emoji reach the speech module as letters it has")
    func letters() {
        var bench = ToyBench.online(facts: 0)
        bench.hub.send(
            id: 7, "\u{201C}Caf\u{E9}\u{201D} \u{1F600}means\ncoffee \u{2013} \"really\".", language: .castilianSpanish)
        bench.run(1_000)
        bench.throwIt()
        #expect(bench.spoken.map(\.words) == ["\"Caf\u{E9}\" means coffee - \"really\"."])
        #expect(bench.spoken.first?.language == 1)
        #expect(bench.virtual.toy.board.voice.refused.isEmpty)
    }

    @Test("An SSID of 32 bytes of any value and a password of 63 are joined")
    func anySSID() {
        var bench = ToyBench()
        var ssid: [UInt8] = [0, 0xFF, 0x22, 0x2C, 0x5C, 0x3A]
        while ssid.count < 32 { ssid.append(UInt8(ssid.count * 8)) }
        let password = Array("a,b\"c\\d:".utf8) + [UInt8](repeating: 0x7A, count: 55)
        bench.virtual.toy.board.wifi.ssid = ssid
        bench.virtual.toy.board.wifi.password = password
        bench.virtual.toy.provision(ToyBench.settings(ssid: ssid, password: password))
        bench.run(8_000)
        #expect(bench.virtual.toy.machine.link == .online)
    }

    @Test("The light says the first of what there is to say")
    func light() {
        var bench = ToyBench.online(facts: 1)
        #expect(bench.virtual.toy.light.shown == .connected)
        bench.virtual.perform(.battery(millivolts: 3_650))
        bench.run(60_000)
        #expect(bench.virtual.toy.light.shown == .batteryLow)
        #expect(bench.hub.statuses.last?.faults.contains(.batteryLow) == true)
        bench.virtual.perform(.battery(millivolts: 4_100))
        bench.run(60_000)
        #expect(bench.virtual.toy.light.shown == .connected)
    }

    @Test("The firmware needs less than 16 KB of memory in all")
    func memory() {
        let sizes: [(String, Int)] = [
            ("accelerometer", MemoryLayout<MPU6050>.size), ("throw detector", MemoryLayout<ThrowDetector>.size),
            ("speech module", MemoryLayout<EMIC2>.size), ("Wi-Fi module", MemoryLayout<ESP8266>.size),
            ("MQTT link", MemoryLayout<MQTTLink>.size), ("fact store", MemoryLayout<FactStore>.size),
            ("journal", MemoryLayout<Journal>.size), ("state machine", MemoryLayout<ToyMachine>.size),
            ("battery", MemoryLayout<Battery>.size), ("buttons", 3 * MemoryLayout<Button>.size),
            ("light", MemoryLayout<StatusLight>.size),
        ]
        for (name, size) in sizes { print("RAM of the \(name): \(size) bytes") }
        let board = MemoryLayout<VirtualBoard>.size
        let all = MemoryLayout<TriviaToy<VirtualBoard>>.size - board
        print("RAM of the firmware in all: \(all) bytes, without its stack")
        #expect(all < 16_384)
    }
}
