/// The time of day as far as the sensor knows it: seconds since 1970 once the hub has said them, before that since the start.
struct Moment {
    /// A time that was noted.
    struct Time: Equatable {
        /// Seconds since 1970, or since the start.
        var seconds: UInt32
        /// Whether they are since 1970.
        var isKnown: Bool
    }

    private var seconds: UInt32 = 0
    private var rest: UInt32 = 0
    private var turnedAt: UInt32 = 0
    /// The seconds since 1970 at the start; nil while nobody has said them.
    private(set) var start: UInt32?

    /// Lets time pass up to a count of milliseconds, which wraps around after 49 days.
    mutating func turn(_ milliseconds: UInt32) {
        rest += milliseconds &- turnedAt
        turnedAt = milliseconds
        seconds += rest / 1_000
        rest %= 1_000
    }

    /// Sets the time, seconds since 1970.
    mutating func set(_ now: UInt32) {
        // A time before the start of the sensor is none.
        if now > seconds { start = now - seconds }
    }

    /// The time now.
    var now: Time { Time(seconds: (start ?? 0) + seconds, isKnown: start != nil) }

    /// The seconds since 1970 of a time that was noted in this run; nil while they are not known.
    func known(_ time: Time) -> UInt32? {
        if time.isKnown { return time.seconds }
        return start.map { $0 + time.seconds }
    }
}

/// The reader of the time in an answer of HTTP, byte by byte: its header `Date` (RFC 9110, 6.6.1 and 5.6.7), as in
/// `Date: Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate {
    private var line = InlineArray<37, UInt8>(repeating: 0)
    private var count = 0

    /// Takes the next byte.
    /// - Returns: seconds since 1970, at the end of a line that says them.
    mutating func receive(_ byte: UInt8) -> UInt32? {
        guard byte == UInt8(ascii: "\n") else {
            if count < 37 { line[count] = byte }
            count += 1
            return nil
        }
        defer { count = 0 }
        // With the carriage return a byte more.
        guard count == 36 || count == 35, isDate else { return nil }
        guard let day = number(11, 2), let month, let year = number(18, 4), let hour = number(23, 2),
            let minute = number(26, 2), let second = number(29, 2), (2020..<2100).contains(year),
            (1...31).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        return days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private var isDate: Bool {
        line[0] | 0x20 == UInt8(ascii: "d") && line[1] | 0x20 == UInt8(ascii: "a")
            && line[2] | 0x20 == UInt8(ascii: "t")
            && line[3] | 0x20 == UInt8(ascii: "e") && line[4] == UInt8(ascii: ":") && line[5] == UInt8(ascii: " ")
    }

    private func number(_ place: Int, _ digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in place..<place + digits {
            guard line[index] >= UInt8(ascii: "0"), line[index] <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + UInt32(line[index] - UInt8(ascii: "0"))
        }
        return value
    }

    /// The month, 1...12, by its second and third letter, which no two months share.
    private var month: UInt32? {
        switch (line[15], line[16]) {
        case (UInt8(ascii: "a"), UInt8(ascii: "n")): 1
        case (UInt8(ascii: "e"), UInt8(ascii: "b")): 2
        case (UInt8(ascii: "a"), UInt8(ascii: "r")): 3
        case (UInt8(ascii: "p"), UInt8(ascii: "r")): 4
        case (UInt8(ascii: "a"), UInt8(ascii: "y")): 5
        case (UInt8(ascii: "u"), UInt8(ascii: "n")): 6
        case (UInt8(ascii: "u"), UInt8(ascii: "l")): 7
        case (UInt8(ascii: "u"), UInt8(ascii: "g")): 8
        case (UInt8(ascii: "e"), UInt8(ascii: "p")): 9
        case (UInt8(ascii: "c"), UInt8(ascii: "t")): 10
        case (UInt8(ascii: "o"), UInt8(ascii: "v")): 11
        case (UInt8(ascii: "e"), UInt8(ascii: "c")): 12
        default: nil
        }
    }

    /// The days from 1 January 1970 to a day of the years 2020 to 2099, in which each fourth year is a leap year.
    private func days(_ year: UInt32, _ month: UInt32, _ day: UInt32) -> UInt32 {
        let before: InlineArray<12, UInt32> = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        let leap: UInt32 = year % 4 == 0 && month > 2 ? 1 : 0
        return (year - 1970) * 365 + (year - 1969) / 4 + before[Int(month) - 1] + leap + day - 1
    }
}
