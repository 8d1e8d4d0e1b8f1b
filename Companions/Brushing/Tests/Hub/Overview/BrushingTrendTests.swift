import Testing

@testable import BrushingHub
@testable import HubKit
@testable import Storage

@Suite("How two weeks compare with the two before")
struct BrushingTrendTests {
    private static let today: Int32 = 20_000

    /// - Parameters:
    ///   - perDay: what is brushed on a day, by its distance from today.
    private func history(frozen: [Int32] = [], perDay: (Int32) -> Int) -> SessionHistory {
        let entries = (Self.today - 40..<Self.today).flatMap { day in
            (0..<perDay(Self.today - day)).map {
                SessionHistory.Entry(
                    id: "\(day).\($0)", day: day, isMorning: $0 == 0, counts: true, milliseconds: 120_000)
            }
        }
        return SessionHistory(
            person: PersonRecord(id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 1),
            today: Self.today, perDay: 2, entries: entries, frozen: frozen.map { Self.today - $0 })
    }

    private func text(_ history: SessionHistory) -> String? {
        BrushingTrend(history)?.text.string(in: .english, from: .brushing)
    }

    @Test("More and fewer are told with what was asked")
    func told() {
        #expect(
            text(history { $0 > 14 && $0 % 3 == 0 ? 1 : 2 })
                == "Brushed 28 of 28 times in the last two weeks, 5 more than in the two before.")
        #expect(
            text(history { $0 <= 14 && $0 % 3 == 0 ? 1 : 2 })
                == "Brushed 24 of 28 times in the last two weeks, 4 fewer than in the two before.")
    }

    @Test("A difference of two, a short history and a fortnight of holidays are told by nobody")
    func silent() {
        #expect(text(history { $0 == 3 || $0 == 5 ? 1 : 2 }) == nil)
        #expect(text(history { $0 > 20 ? 0 : $0 > 14 ? 1 : 2 }) == nil)
        #expect(text(history(frozen: [1, 2, 3, 4]) { $0 > 14 ? 1 : 2 }) == nil)
    }

    @Test("Many on one day make up for no other day, and a day off asks for nothing")
    func days() {
        #expect(
            text(history(frozen: [2]) { $0 == 1 ? 9 : $0 == 2 ? 0 : $0 > 14 ? 1 : 2 })
                == "Brushed 26 of 26 times in the last two weeks, 12 more than in the two before.")
    }
}
