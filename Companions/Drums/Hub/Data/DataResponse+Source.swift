import GRDB
import HubKit
import Storage

extension DataResponse {
    /// The stored part of a person's practice that the charts are calculated from.
    struct Source: Sendable {
        let stored: StoredPractice
        /// The practice of an earlier stretch that the charts are to lie over.
        let against: StoredPractice?
        let span: DataSpan
        let thisWeek: [(day: Int32, milliseconds: Int64)]
        let first: Int32?

        /// Reads the practice that a request asks for.
        ///
        /// - Parameters:
        ///   - until: a day of the last week that is shown; nil for today.
        ///   - comparison: nil for no earlier stretch.
        init(_ subject: Subject, span: DataSpan, until: Int32?, against comparison: DataComparison?, _ db: Database)
            throws
        {
            self.span = span
            let days = span.days(until: min(until ?? subject.today, subject.today))
            stored = try StoredPractice(of: subject, days: days, db)
            against = try comparison.map { try StoredPractice(of: subject, days: $0.days(days, of: span), db) }
            thisWeek = try DataResponse.practised(subject, PracticeWeek.week(around: subject.today), db)
            first = try Int32.fetchOne(
                db, cached: "SELECT min(day) FROM drums_session WHERE person = ?", arguments: [subject.person.id])
        }
    }

    /// Milliseconds of each session of some days, with its day.
    static func practised(_ subject: Subject, _ days: ClosedRange<Int32>, _ db: Database) throws
        -> [(day: Int32, milliseconds: Int64)]
    {
        try Row.fetchAll(
            db, cached: "SELECT day, milliseconds FROM drums_session WHERE person = ? AND day BETWEEN ? AND ?",
            arguments: [subject.person.id, days.lowerBound, days.upperBound]
        ).map { (day: $0[0], milliseconds: $0[1]) }
    }
}
