import DeviceHAL
import DeviceParts
import Testing
import TriviaToyEngine
import TriviaToyVirtualBoard

@testable import TriviaToyDevice

@Suite("A toy that is disturbed while it speaks, or told what it cannot do")
struct RecoveryTests {
    private static let sentence = "This sentence has exactly fifty letters, or so, ok. "

    @Test("A volume that is changed within a fact of two pieces silences neither it nor the next one")
    func volumeBetweenPieces() {
        var bench = ToyBench.online(facts: 0)
        bench.hub.send(id: 7, String(repeating: Self.sentence, count: 28))
        bench.hub.send(id: 8, "A short one.")
        bench.run(2_000)
        bench.virtual.perform(.move(MotionScript.thrown()))
        bench.run(20_000)
        bench.virtual.perform(.hold(.down, milliseconds: 100))
        bench.run(140_000)
        #expect(bench.spoken.map(\.words).joined() == String(repeating: Self.sentence, count: 28))
        #expect(bench.spoken.map(\.volume) == [0, -6])
        bench.throwIt()
        #expect(bench.hub.plays.map(\.fact) == [7, 8])
        #expect(bench.hub.plays.map(\.ending) == [.finished, .finished])
    }

    @Test("A throw in the pause between two pieces, while the volume is being set, is answered by the next fact")
    func throwBetweenPieces() {
        var bench = ToyBench.online(facts: 0)
        bench.hub.send(id: 7, String(repeating: Self.sentence, count: 28))
        bench.hub.send(id: 8, "A short one.")
        bench.run(2_000)
        bench.virtual.perform(.move(MotionScript.thrown()))
        bench.run(20_000)
        bench.virtual.perform(.voice(.init()))
        // The module forgets its first piece: its prompt comes, and settings are still to be sent.
        while bench.virtual.toy.speech.phase != .ready, bench.now < 400_000 {
            bench.virtual.toy.speech.settings.volume = -12
            bench.run(1)
        }
        bench.virtual.toy.act(.played(.button, silence: nil))
        bench.run(8_000)
        #expect(bench.hub.plays.map(\.fact) == [7, 8])
        #expect(bench.hub.plays.map(\.ending) == [.stopped, .finished])
    }

    @Test("A memory that cannot be read ends the fact, and the toy speaks again when it can")
    func unreadable() {
        var bench = ToyBench.online(facts: 3)
        var faults = FlashModel.Faults()
        faults.isUnreadable = true
        bench.virtual.perform(.memory(faults))
        bench.throwIt()
        #expect(bench.virtual.toy.faults.contains(.store))
        #expect(bench.spoken.isEmpty)
        bench.virtual.perform(.memory(.init()))
        bench.throwIt()
        bench.run(20_000)
        #expect(bench.spoken.count == 1)
        #expect(bench.virtual.toy.journal.unreported == 0)
    }

    @Test("A fact that was to come next and whose place was needed is not spoken from what stands there now")
    func overtaken() throws {
        var bench = ToyBench.online(facts: 0, pages: 12)
        func text(_ id: UInt32) -> String { String(repeating: "Fact \(id) goes on. ", count: 55) }
        for id: UInt32 in 1...30 {
            bench.hub.send(id: id, text(id))
            bench.run(600)
        }
        #expect(bench.virtual.toy.facts.oldest > 1)
        bench.virtual.perform(.move(MotionScript.thrown()))
        bench.run(120_000)
        let play = try #require(bench.hub.plays.first)
        #expect(bench.spoken.map(\.words).joined() == text(play.fact))
    }

    @Test("A line end in a network's name or password is refused: it would be a command to the Wi-Fi module")
    func lineEnd() {
        var bench = ToyBench()
        bench.virtual.toy.provision(ToyBench.settings(ssid: Array("x\"\r\nAT+RESTORE\r\n".utf8)))
        bench.run(6_000)
        #expect(bench.virtual.toy.setUpResult == .some(.some(.refused)))
        bench.virtual.toy.provision(ToyBench.settings(password: Array("secret\nAT+RESTORE".utf8)))
        bench.run(6_000)
        #expect(bench.virtual.toy.setUpResult == .some(.some(.refused)))
        #expect(!bench.virtual.toy.board.wifi.commands.contains { $0.contains("RESTORE") })
        #expect(bench.virtual.toy.journal.settings == nil)
    }

    @Test("A button that is held when the toy is switched on does nothing before it was let go")
    func heldAtStart() {
        var button = Button()
        var presses: [Button.Press] = []
        func feed(_ isDown: Bool, _ range: Range<UInt32>) {
            for time in range { if let press = button.take(isDown: isDown, at: time) { presses.append(press) } }
        }
        feed(true, 0..<5_000)
        feed(false, 5_000..<5_100)
        #expect(presses.isEmpty)
        feed(true, 5_100..<5_200)
        feed(false, 5_200..<5_300)
        #expect(presses == [.short])
    }

    @Test("A Wi-Fi module that restarts within a message is not sent the rest of it")
    func restartWithinMessage() {
        struct Line: UART {
            var answer: [UInt8] = []
            var sent: [UInt8] = []
            var room = 1_000
            var canSend: Bool { room > 0 }
            mutating func send(_ byte: UInt8) {
                sent.append(byte)
                room -= 1
            }
            mutating func receive() -> UInt8? { answer.isEmpty ? nil : answer.removeFirst() }
        }
        var (radio, line) = (ESP8266(), Line())
        var message = FixedBytes<256>()
        for _ in 0..<200 { message.append(0x55) }
        radio.send(message, at: 0)
        _ = radio.poll(&line, at: 1)
        line.answer = Array("OK\r\n> ".utf8)
        line.room = 50
        _ = radio.poll(&line, at: 2)
        _ = radio.poll(&line, at: 3)
        line.answer = Array("\r\nready\r\n".utf8)
        #expect(radio.poll(&line, at: 4) == .restarted)
        let before = line.sent.count
        line.room = 1_000
        _ = radio.poll(&line, at: 5)
        #expect(line.sent.count == before)
        #expect(radio.isIdle)
    }

    @Test("A toy that nobody has set up tells facts of its image, goes on after a power cut, and reports them later")
    func starters() {
        var bench = ToyBench()
        bench.run(500)
        for _ in 0..<2 { bench.throwIt() }
        bench.virtual.perform(.powerCut)
        bench.run(2_000)
        bench.throwIt()
        #expect(bench.spoken.map(\.words) == (0..<3).map { "\(StarterFacts.fact($0).text)" })
        bench.virtual.perform(.hold(.up, milliseconds: 1_200))
        bench.run(2_000)
        bench.virtual.toy.provision(ToyBench.settings())
        bench.run(8_000)
        #expect(bench.hub.plays.map(\.fact) == (0..<3).map { StarterFacts.firstID + $0 })
        #expect(bench.hub.votes.map(\.fact) == [StarterFacts.firstID + 2])
        #expect(bench.hub.statuses.last.map { $0.wanted > 0 } == true, "it asks for facts at once")
        // As soon as the hub has sent one, that is told.
        bench.hub.send(id: 9, "A new one.")
        bench.run(1_000)
        bench.throwIt()
        #expect(bench.hub.plays.last?.fact == 9)
    }

    @Test("All facts of the image are told before one is told again, however often the power goes")
    func startersInTurn() {
        var bench = ToyBench()
        bench.run(500)
        for count in 0..<StarterFacts.count + 1 {
            bench.virtual.perform(.hold(.middle, milliseconds: 150))
            bench.run(14_000)
            if count % 7 == 3 {
                bench.virtual.perform(.powerCut)
                bench.run(2_000)
            }
        }
        let words = bench.spoken.map(\.words)
        #expect(words == (0...StarterFacts.count).map { "\(StarterFacts.fact($0 % StarterFacts.count).text)" })
    }
}
