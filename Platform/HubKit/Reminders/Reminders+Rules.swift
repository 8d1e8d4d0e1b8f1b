import GRDB
import Storage

extension Reminders {
    /// How many notices a day somebody may ask for of what can wait; 0 is each as it comes.
    package static let mostNotices = 0...5

    /// Changes when a person is left alone and how much they hear; nil leaves it as it is. In the caller's transaction.
    ///
    /// - Parameters:
    ///   - from: where quiet hours begin, a local minute of the day.
    ///   - until: where they end.
    /// - Throws: a 422 problem for a minute that no day has, quiet hours of no length, and more notices than
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
