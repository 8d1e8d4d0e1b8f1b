import DrumsDevice
import DrumsEngine
import TestInstruments
import Testing

/// Random evenings at the kit, against the rules written down a second time in the plainest way.
@Suite("The kit's firmware under random strikes and commands")
struct StrikeSequenceTests {
    private enum Event {
        case strike(Int)
        case command(Character)
    }

    /// What the kit has to say, by the rules: debounce of 5 and 200 ms, reactions from the last cue, wrong drums before
    /// the right one. Forces are left out.
    private struct Rules {
        var cue: (drum: Int, at: Int)?
        var wrong: [Int] = []
        var taken: [(drum: Int, at: Int)] = []
        var told: [String] = []

        mutating func happens(_ event: Event, at now: Int) {
            switch event {
            case .command(let character):
                guard let number = character.wholeNumberValue, number < 5 else { return }
                wrong = []
                cue = number < 4 ? (number, now) : nil
            case .strike(let drum):
                let isEcho = taken.contains { now - $0.at < ($0.drum == drum ? 200 : 5) }
                if isEcho { return }
                taken = taken.filter { now - $0.at < 200 } + [(drum, now)]
                guard let cue else { return }
                if drum == cue.drum {
                    told.append((wrong + [drum, now - cue.at]).map(String.init).joined(separator: " "))
                    self.cue = nil
                    wrong = []
                } else if wrong.count < 200 {
                    wrong.append(drum)
                }
            }
        }
    }

    @Test(
        "Whatever is struck and sent, the kit tells what the rules say, in notifications of at most 19 characters",
        arguments: 1...60)
    func follows(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let start = UInt32.random(in: UInt32.max - 40_000...UInt32.max, using: &random)
        var bench = KitBench(start: start)
        bench.pulse = 1
        var rules = Rules()
        var now = 0
        for _ in 0..<400 {
            let gap = [1, 1, 2, 3, 5, 30, 150, 199, 200, 400].randomElement(using: &random) ?? 1
            bench.wait(UInt32(gap))
            now += gap
            if Int.random(in: 0..<4, using: &random) == 0 {
                let character = "0123345xA ".randomElement(using: &random) ?? "0"
                rules.happens(.command(character), at: now)
                bench.send(String(character))
            } else {
                let drum = Int.random(in: 0..<4, using: &random)
                rules.happens(.strike(drum), at: now)
                bench.strike(drum)
            }
            #expect(bench.lit == (rules.cue.map { [$0.drum] } ?? []), "seed \(seed), at \(now)")
        }
        bench.wait(25)
        let told = bench.messages.map { $0.split(separator: " ").dropLast().joined(separator: " ") }
        #expect(told == rules.told, "seed \(seed)")
        #expect(bench.notifications.allSatisfy { (1...19).contains($0.utf8.count) }, "seed \(seed)")
        for message in bench.messages {
            let words = message.split(separator: " ")
            let isFirst = words.count >= 3 && words[words.count - 3] == "0"
            #expect(isFirst || words.last == "-1.00", "seed \(seed): \(message)")
        }
    }
}
