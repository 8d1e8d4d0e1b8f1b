import GRDB
import Storage

/// The plans that a person has had, the earliest first.
struct PracticePlans: Sendable {
    var all: [PracticePlan]

    init(_ all: [PracticePlan]) { self.all = all }

    init(of person: String, _ db: Database) throws {
        all = try PracticePlan.fetchAll(
            db, cached: "SELECT * FROM drums_plan WHERE person = ? ORDER BY from_day", arguments: [person])
    }

    /// The plan that holds on a day; nil where none does.
    func plan(on day: Int32) -> PracticePlan? {
        all.last { $0.fromDay <= day }.flatMap { $0.isPlan ? $0 : nil }
    }

    /// The plan that holds on a day, or the next that will.
    func planOrNext(on day: Int32) -> PracticePlan? {
        plan(on: day) ?? all.first { $0.fromDay > day && $0.isPlan }
    }

    /// The minutes planned in some days: a seventh of a week's for each of them, rounded; nil where no day has a plan.
    func minutes(_ days: ClosedRange<Int32>) -> Int? {
        var sevenths = 0
        var isPlanned = false
        for day in days {
            guard let plan = plan(on: day) else { continue }
            isPlanned = true
            sevenths += plan.minutesPerWeek
        }
        return isPlanned ? (sevenths * 2 + 7) / 14 : nil
    }
}
