/// The UTC milliseconds of a moment such as `2026-11-25T20:00:00.5+01:00`, or nil where the text is none.
///
/// RFC 3339, section 5.6, and what is written for it: a space or small letters for `T` and `Z`, a comma before the fraction,
/// an offset of `+0100` or `+01`, also after a space, no seconds. Without an offset it is nobody's time, and nil; digits after
/// the third of a fraction are dropped; a leap second is the first of the next minute.
public func iso8601Milliseconds(_ text: Span<UInt8>) -> Int64? {
    var reader = MomentReader(index: 0)
    guard let year = reader.digits(4, text), reader.skip("-", text), let month = reader.digits(2, text),
        reader.skip("-", text), let day = reader.digits(2, text),
        reader.skip("T", text) || reader.skip("t", text) || reader.skip(" ", text),
        let hour = reader.digits(2, text), reader.skip(":", text), let minute = reader.digits(2, text),
        (1...12).contains(month), (1...daysInMonth(month, year: year)).contains(day), hour < 24, minute < 60
    else { return nil }
    var second: Int64 = 0
    var milliseconds: Int64 = 0
    if reader.skip(":", text) {
        guard let read = reader.digits(2, text), read <= 60 else { return nil }
        second = read
        if reader.skip(".", text) || reader.skip(",", text) {
            guard let fraction = reader.thousandths(text) else { return nil }
            milliseconds = fraction
        }
    }
    guard let offsetMinutes = reader.offset(text), reader.index == text.count else { return nil }
    let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offsetMinutes
    return (minutes * 60 + second) * 1_000 + milliseconds
}

/// A place in the text of a moment.
private struct MomentReader {
    var index: Int

    mutating func skip(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    mutating func digits(_ count: Int, _ text: Span<UInt8>) -> Int64? {
        guard index + count <= text.count else { return nil }
        var value: Int64 = 0
        for place in index..<index + count {
            let digit = text[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        index += count
        return value
    }

    /// The first three places of a fraction, after its point.
    mutating func thousandths(_ text: Span<UInt8>) -> Int64? {
        var value: Int64 = 0
        var places = 0
        while let digit = digits(1, text) {
            if places < 3 { value = value * 10 + digit }
            places += 1
        }
        guard places > 0 else { return nil }
        for _ in min(places, 3)..<3 { value *= 10 }
        return value
    }

    /// The minutes by which the text's clock is ahead of UTC.
    mutating func offset(_ text: Span<UInt8>) -> Int64? {
        _ = skip(" ", text)
        if skip("Z", text) || skip("z", text) { return 0 }
        let isAhead = skip("+", text)
        guard isAhead || skip("-", text), let hours = digits(2, text), hours < 24 else { return nil }
        var minutes: Int64 = 0
        if skip(":", text) || index < text.count {
            guard let read = digits(2, text), read < 60 else { return nil }
            minutes = read
        }
        return (isAhead ? 1 : -1) * (hours * 60 + minutes)
    }
}

private func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// The days from 1 January 1970 to a date of the Gregorian calendar, with years that begin in March, so that the day that is
/// not in each year is the last one.
private func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let century = marchYear / 100
    let leapDays = marchYear / 4 - century + century / 4
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return marchYear * 365 + leapDays + dayOfYear - 719_468
}
