import HubKit
import Localization

/// A stretch of days in parts of one length, as a chart shows it.
struct DayBins: Sendable {
    /// The length of a part.
    enum Length: Int32, Sendable {
        case day = 1
        case week = 7
        case fourWeeks = 28

        var name: String {
            switch self {
            case .day: "day"
            case .week: "week"
            case .fourWeeks: "fourWeeks"
            }
        }
    }

    let start: Int32
    let length: Length
    let count: Int

    /// Divides days into as many parts as it takes to hold them. The last may reach beyond them.
    init(_ days: ClosedRange<Int32>, by length: Length) {
        start = days.lowerBound
        self.length = length
        count = Int((days.upperBound - days.lowerBound) / length.rawValue) + 1
    }

    func days(_ index: Int) -> ClosedRange<Int32> {
        let first = start + Int32(index) * length.rawValue
        return first...(first + length.rawValue - 1)
    }

    /// The part in which a day lies; nil where it lies in none.
    func index(_ day: Int32) -> Int? {
        guard day >= start else { return nil }
        let index = Int((day - start) / length.rawValue)
        return index < count ? index : nil
    }

    /// The label of a part by its first day, such as `26 Oct`.
    func label(_ index: Int, in localized: Localizer) -> String { localized.day(days(index).lowerBound) }

    /// The labels below a chart: of each part where they are few, else the first, the middle one and the last.
    func ticks(in localized: Localizer) -> [Tick] {
        if count <= 7 {
            return (0..<count).map { index in
                Tick(
                    index: index,
                    label: count == 7 && length == .day
                        ? localized.string(CivilDate(day: days(index).lowerBound).shortWeekdayText)
                        : label(index, in: localized))
            }
        }
        return [0, count / 2, count - 1].map { Tick(index: $0, label: label($0, in: localized)) }
    }

    struct Tick: Codable, Sendable {
        var index: Int
        var label: String
    }

    /// The beats of each part.
    func parted(_ beats: [Practice.Beat]) -> [[Practice.Beat]] {
        var parts = [[Practice.Beat]](repeating: [], count: count)
        for beat in beats {
            if let index = index(beat.day) { parts[index].append(beat) }
        }
        return parts
    }
}

/// The scale of a chart, with a line at every step.
struct Axis: Codable, Sendable {
    struct Tick: Codable, Sendable {
        var at: Int
        var label: String
    }

    var from, to: Int
    var ticks: [Tick]

    init(from: Int, to: Int, ticks: [Tick]) { (self.from, self.to, self.ticks) = (from, to, ticks) }

    private static let steps = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]

    /// A scale that holds all values, in three to five steps.
    ///
    /// - Parameter unit: behind the highest number.
    init(holding values: [Double], unit: String = "", in localized: Localizer) {
        let least = (values.min() ?? 0).rounded(.down)
        let most = max((values.max() ?? 0).rounded(.up), least + 10)
        let step = Double(Self.steps.first { (most - least) / Double($0) <= 4 } ?? 200_000)
        let first = Int((least / step).rounded(.down))
        let last = Int((most / step).rounded(.up))
        (from, to) = (first * Int(step), last * Int(step))
        ticks = (first...last).map { place in
            let at = place * Int(step)
            return Tick(at: at, label: localized.whole(at) + (place == last && !unit.isEmpty ? " \(unit)" : ""))
        }
    }

    /// Percent, from a multiple of twenty up to all.
    init(percentFrom least: Int, in localized: Localizer) {
        from = min(80, max(0, least / 20 * 20))
        to = 100
        ticks = stride(from: from, through: 100, by: from >= 60 ? 10 : 20).map {
            Tick(at: $0, label: $0 == 100 ? localized("\(100)%") : "\($0)")
        }
    }
}
