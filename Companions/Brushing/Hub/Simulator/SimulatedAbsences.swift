import HubKit

/// The days on which a simulated family is on holiday, and those on which one of them is ill.
struct SimulatedAbsences: Sendable {
    /// The holidays of the whole family.
    var holidays: [ClosedRange<Int32>] = []
    /// The illnesses of each person, in order.
    var illnesses: [[ClosedRange<Int32>]]

    /// Draws absences by a seed.
    ///
    /// - Parameter people: how many there are.
    init(seed: UInt64, days: ClosedRange<Int32>, people: Int) {
        var random = SeededRandom(seed: seed, stream: 1)
        holidays = Self.absences(in: days, every: 75, lasting: 6...13, &random)
        illnesses = (0..<people).map { index in
            var random = SeededRandom(seed: seed, stream: 100 + UInt64(index))
            return Self.absences(in: days, every: 110, lasting: 3...6, &random)
        }
    }

    private static func absences(
        in days: ClosedRange<Int32>, every: Double, lasting: ClosedRange<Int32>, _ random: inout SeededRandom
    ) -> [ClosedRange<Int32>] {
        var absences: [ClosedRange<Int32>] = []
        var day = days.lowerBound + Int32(random.between(every * 0.3, every))
        while true {
            let end = day + Int32(random.between(Double(lasting.lowerBound), Double(lasting.upperBound) + 1)) - 1
            guard end <= days.upperBound else { return absences }
            absences.append(day...end)
            day = end + Int32(random.between(every * 0.6, every * 1.4))
        }
    }
}
