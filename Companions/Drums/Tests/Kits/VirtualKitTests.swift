import DrumsEngine
import NIOCore
import Testing

@testable import DrumsHub
@testable import HubKit

@Suite("The virtual kit")
struct VirtualKitTests {
    private var machine: DrummerTraits {
        var traits = DrummerTraits()
        (traits.medianReaction, traits.spread, traits.wrongShare, traits.tiring) = (300, 0, 0, 0)
        return traits
    }

    private func text(_ events: [VirtualKit.Event]) -> [String] {
        events.map { event in
            switch event {
            case .notification(let bytes): String(decoding: bytes, as: UTF8.self)
            case .lost: "lost"
            case .back: "back"
            case .reset: "reset"
            }
        }
    }

    @Test("A cue is answered after the person's reaction, at that very moment")
    func answers() {
        var kit = VirtualKit(machine, seed: 1)
        #expect(text(kit.advance(to: 1_000)) == [])
        #expect(text(kit.take(Array("2".utf8))) == [])
        #expect(kit.nextMoment == 1_300)
        #expect(text(kit.advance(to: 1_299)) == [])
        #expect(text(kit.advance(to: 1_300)) == ["2 300 -1.00\0", "END\0"])
        #expect(kit.nextMoment.map { $0 >= 1_320 } ?? true)
    }

    @Test("However the time is cut, the same happens", arguments: 1...20)
    func grain(seed: UInt64) {
        let mishaps = KitMishaps(lostEvery: 20_000, lostFor: 2_000, resetEvery: 30_000)
        func play(_ steps: (inout SeededRandom) -> Int64) -> [String] {
            var kit = VirtualKit(seed: seed, mishaps)
            var random = SeededRandom(seed: seed)
            var told: [String] = []
            for beat in 1...60 {
                while kit.now < Int64(beat) * 1_500 {
                    told += text(kit.advance(to: min(Int64(beat) * 1_500, kit.now + steps(&random))))
                }
                told += text(kit.take([UInt8(ascii: "0") + UInt8(beat % 4)]))
            }
            return told
        }
        let whole = play { _ in 1_500 }
        #expect(whole.count > 40)
        #expect(play { _ in 1 } == whole)
        #expect(play { Int64($0.between(1, 400)) } == whole)
    }

    @Test("A lost radio swallows cues and answers; a new cue takes the place of the one before")
    func lost() {
        var kit = VirtualKit(machine, seed: 1)
        _ = kit.take(Array("1".utf8))
        #expect(kit.lose() == [.lost])
        #expect(kit.lose() == [])
        #expect(text(kit.advance(to: 500)) == [])
        #expect(kit.take(Array("3".utf8)) == [])
        #expect(text(kit.advance(to: 1_000)) == [])
        #expect(kit.comeBack() == [.back])
        _ = kit.take(Array("2".utf8))
        _ = kit.advance(to: 1_100)
        _ = kit.take(Array("3".utf8))
        #expect(text(kit.advance(to: 2_000)) == ["3 300 -1.00\0", "END\0"])
    }

    @Test("A reset forgets the cue, and what the hand was about to do")
    func reset() {
        var kit = VirtualKit(machine, seed: 1)
        _ = kit.take(Array("1".utf8))
        _ = kit.advance(to: 100)
        #expect(kit.reset() == [.reset])
        #expect(text(kit.advance(to: 2_000)) == [])
        _ = kit.take(Array("0".utf8))
        let told = text(kit.advance(to: 3_000))
        #expect(told.count == 2)
        // Its accelerometer was switched off and on too, and was woken with it.
        #expect(told.first?.hasPrefix("0 300 ") == true && told.first?.contains("-1.00") == false)
    }

    @Test("Mishaps come as often as they were asked for, and a lost radio comes back")
    func mishaps() {
        var kit = VirtualKit(seed: 5, KitMishaps(lostEvery: 10_000, lostFor: 500, resetEvery: 20_000))
        let told = text(kit.advance(to: 2_000_000))
        #expect((150...240).contains(told.count { $0 == "lost" }))
        #expect((70...130).contains(told.count { $0 == "reset" }))
        #expect(
            told.filter { $0 == "lost" || $0 == "back" }.enumerated().allSatisfy { ($1 == "lost") == ($0 % 2 == 0) })
    }

    @Test("Orders to the simulator are told from what is for the kit, wherever the input is cut")
    func pipes() {
        let input = Array("2\n!reset\n3!lost\n!nonsense\n!back\n01".utf8)
        func words(_ inputs: [VirtualKitPlayer.Input]) -> String {
            inputs.map { input in
                switch input {
                case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
                case .reset: "<reset>"
                case .lose: "<lost>"
                case .comeBack: "<back>"
                case .time, .end: "?"
                }
            }.joined()
        }
        for cut in 0...input.count {
            var reader = KitPipeReader()
            let read = words(reader.read(input[..<cut]) + reader.read(input[cut...]))
            #expect(read == "2\n<reset>3<lost><back>01", "cut at \(cut)")
        }
    }

    @Test("What a kit may publish is one notification on its own topic")
    func reader() throws {
        let decoder = KitMessageDecoder()
        let readings = ReadingCollector()
        let hit = ByteBuffer(string: "hit")
        for count in 1...20 {
            try decoder.decode(tail: hit, payload: ByteBuffer(repeating: 0xFF, count: count), into: readings)
        }
        for (tail, count) in [("hit", 0), ("hit", 21), ("force", 4), ("command", 1), ("hit/x", 3)] {
            #expect(throws: BadMessage.self) {
                try decoder.decode(
                    tail: ByteBuffer(string: tail), payload: ByteBuffer(repeating: 0x30, count: count), into: readings)
            }
        }
    }
}

extension VirtualKit {
    fileprivate init(seed: UInt64, _ mishaps: KitMishaps) { self.init(mishaps: mishaps, seed: seed) }
}
