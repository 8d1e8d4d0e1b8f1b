import GRDB
import Storage

extension Reminders {
    /// The numbers of combined notices a day that a person may choose; 0 sends each reminder on its own.
    package static let mostNotices = 0...5

    /// Changes a person's quiet hours and number of notices, in the caller's transaction. Nil leaves a value as it is.
    ///
    /// - Parameters:
    ///   - person: the person's id.
    ///   - isQuiet: whether quiet hours are on.
    ///   - from: the start of quiet hours, in minutes of the local day.
    ///   - until: the end of quiet hours, in minutes of the local day.
    ///   - noticesPerDay: the number of combined notices a day.
    /// - Throws: a 422 problem for a minute outside of the day, quiet hours without length, or a number outside of
    ///   ``mostNotices``.
    package func setRules(
        of person: String, isQuiet: Bool?, from: Int32?, until: Int32?, noticesPerDay: Int?, _ db: Database
    ) throws -> ReminderRules {
        var rules = try ReminderRules.of(person, db)
        if let isQuiet { rules.isQuiet = isQuiet }
        if let from { rules.quietFrom = try Self.checked(minute: from, field: "quietFrom") }
        if let until { rules.quietUntil = try Self.checked(minute: until, field: "quietUntil") }
        guard rules.quietFrom != rules.quietUntil else {
            throw Problem.field("quietUntil", "Quiet hours end at another time than they begin.")
        }
        if let noticesPerDay {
            guard Self.mostNotices.contains(noticesPerDay) else {
                throw Problem.field(
                    "noticesPerDay", "Choose one to five notices a day, or 0 to hear of each as it comes.")
            }
            rules.noticesPerDay = noticesPerDay
        }
        try rules.save(db)
        wake(after: db)
        return rules
    }

    private static func checked(minute: Int32, field: String) throws -> Int32 {
        guard (0..<1_440).contains(minute) else {
            throw Problem.field(field, "A time of day is a minute between 0 and 1439, such as 1260 for 21:00.")
        }
        return minute
    }
}
