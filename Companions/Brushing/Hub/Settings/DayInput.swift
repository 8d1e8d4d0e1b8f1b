import HubKit

/// Days as requests give them: `2026-12-02`.
enum DayInput {
    /// Reads a day from a request.
    ///
    /// - Throws: a 422 problem for anything but a date.
    static func day(_ text: String, field: String = "day") throws -> Int32 {
        guard let date = CivilDate(text) else {
            throw Problem.field(field, "A day is written as 2026-12-02, and is one that the calendar has.")
        }
        return date.day
    }

    /// A day on which somebody need not brush: within a year of today.
    static func frozen(_ text: String, field: String = "day", today: Int32) throws -> Int32 {
        let day = try day(text, field: field)
        guard day <= today + 366 else {
            throw Problem.field(field, "That is more than a year ahead. Days off are planned for a year at most.")
        }
        guard day >= today - 366 else {
            throw Problem.field(field, "That is more than a year ago. What is so long past stays as it was.")
        }
        return day
    }

    static func reason(_ text: String) throws -> FrozenDay.Reason {
        guard let reason = FrozenDay.Reason(rawValue: text) else {
            throw Problem.field("reason", "The reasons are \(FrozenDay.Reason.allCases.map(\.rawValue).listed).")
        }
        return reason
    }
}
