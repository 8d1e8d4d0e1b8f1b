import Foundation
import HubKit

/// A writer of iCalendar content lines (RFC 5545, 3.1), which end with CR LF and have at most 75 octets each.
struct CalendarText: Sendable {
    private(set) var bytes: [UInt8] = []

    private static let longestLine = 75

    /// Adds a line with a literal value, folded if it is long, but never inside a character.
    ///
    /// - Parameters:
    ///   - name: the name with its parameters, such as `DTSTART;TZID=Europe/Vienna`.
    ///   - value: the value.
    mutating func add(_ name: String, _ value: String) {
        var length = 0
        for character in "\(name):\(value)".unicodeScalars {
            let encoded = Array(String(character).utf8)
            if length + encoded.count > Self.longestLine {
                bytes += [0x0D, 0x0A, 0x20]
                length = 1
            }
            bytes += encoded
            length += encoded.count
        }
        bytes += [0x0D, 0x0A]
    }

    /// Adds a line with a text (RFC 5545, 3.3.11): backslashes, semicolons, commas and line ends are escaped, other
    /// control characters left out.
    mutating func add(_ name: String, text: String) {
        var value = ""
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": value += "\\\(scalar)"
            case "\n": value += isAfterReturn ? "" : "\\n"
            case "\r", "\u{2028}", "\u{2029}", "\u{85}": value += "\\n"
            case "\t": value += "\t"
            default: if scalar.properties.generalCategory != .control { value.unicodeScalars.append(scalar) }
            }
            isAfterReturn = scalar == "\r"
        }
        add(name, value)
    }

    /// Adds a component with the lines that `body` adds.
    mutating func component(_ name: String, _ body: (inout CalendarText) -> Void) {
        add("BEGIN", name)
        body(&self)
        add("END", name)
    }

    /// Adds the lines of another text.
    mutating func append(_ other: CalendarText) { bytes += other.bytes }

    /// A time in UTC, such as `20261121T060000Z` (RFC 5545, 3.3.5, form 2).
    static func utc(_ time: Int64) -> String { wall(time) + "Z" }

    /// A local time, such as `20261121T070000` (form 1, and form 3 with a TZID).
    ///
    /// - Parameter shown: the local date and time, in milliseconds as if it were UTC.
    static func wall(_ shown: Int64) -> String {
        let (day, minute) = LocalCalendar(timeZone: .gmt).moment(of: shown)
        let second = (shown - Int64(day) * LocalCalendar.dayLength) / 1_000 % 60
        let date = "\(CivilDate(day: day))".filter { $0 != "-" }
        return "\(date)T\(padded(minute / 60))\(padded(minute % 60))\(padded(Int32(second)))"
    }

    /// An offset from UTC, such as `+0530` (RFC 5545, 3.3.14).
    static func offset(_ milliseconds: Int64) -> String {
        let seconds = Int32(milliseconds.magnitude / 1_000)
        let rest = seconds % 60 == 0 ? "" : padded(seconds % 60)
        return "\(milliseconds < 0 ? "-" : "+")\(padded(seconds / 3_600))\(padded(seconds / 60 % 60))\(rest)"
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
