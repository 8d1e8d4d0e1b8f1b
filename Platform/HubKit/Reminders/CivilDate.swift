/// A date of the Gregorian calendar, without time and time zone.
public struct CivilDate: Sendable, Hashable {
    /// The year, such as 2026.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1 to 31.
    public let dayOfMonth: Int

    /// Creates a date.
    ///
    /// - Parameter day: the number of days since 1 January 1970.
    public init(day: Int32) {
        // Years begin on 1 March, so that the leap day is a year's last; eras of 400 years are all alike.
        let days = Int(day) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Creates a date; nil if no calendar has it, such as 30 February, or outside of the years 1 to 9999.
    public init?(year: Int, month: Int, dayOfMonth: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(dayOfMonth) else { return nil }
        self.year = year
        self.month = month
        self.dayOfMonth = dayOfMonth
        guard CivilDate(day: day) == self else { return nil }
    }

    /// Reads a date such as `2026-12-02` (RFC 3339, full-date); nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0 as Int?) { sum, byte in
                guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                return sum * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let dayOfMonth = number(8..<10) else { return nil }
        self.init(year: year, month: month, dayOfMonth: dayOfMonth)
    }

    /// The number of days since 1 January 1970.
    public var day: Int32 {
        let year = month <= 2 ? self.year - 1 : self.year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + dayOfMonth - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// The day of the week, from Monday as 1 to Sunday as 7 (ISO 8601).
    public var weekday: Int {
        // 1 January 1970 was a Thursday.
        let index = (Int(day) + 3) % 7
        return (index < 0 ? index + 7 : index) + 1
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date as `2026-12-02`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    }
}
