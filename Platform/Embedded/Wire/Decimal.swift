/// The number that ASCII bytes such as `-21.50` or `6.02e23` spell, or nil when they spell none.
///
/// Grammar: an optional sign, digits with at most one point (a digit on at least one side of it), and an optional
/// exponent. No spaces, no `NaN`, no infinity, no hexadecimal: what is not a plain decimal number is nil, and so is a
/// number too large for a `Double`. A magnitude too small for one is zero.
///
/// Exact (correctly rounded) when there are at most 15 digits and at most 22 places, which is every number a sensor
/// sends; beyond that the result may be a few units in the last place away. Digits after the 19th only shift the scale.
public func decimal(_ text: Span<UInt8>) -> Double? {
    var index = 0
    var negative = false
    if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
        negative = text[index] == UInt8(ascii: "-")
        index += 1
    }
    var mantissa: UInt64 = 0
    var significant = 0
    var digits = 0
    var scale = 0
    var seenPoint = false
    while index < text.count {
        let byte = text[index]
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 {
            digits += 1
            if significant < 19 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                if mantissa > 0 { significant += 1 }
                if seenPoint { scale -= 1 }
            } else if !seenPoint {
                scale += 1
            }
        } else if byte == UInt8(ascii: "."), !seenPoint {
            seenPoint = true
        } else {
            break
        }
        index += 1
    }
    guard digits > 0 else { return nil }
    if index < text.count {
        guard let exponent = decimalExponent(text, from: index) else { return nil }
        scale += exponent
    }
    guard let magnitude = scaled(mantissa, byPowerOfTen: scale) else { return nil }
    return negative ? -magnitude : magnitude
}

/// The exponent part, `e` included, as a number held within ±100000; nil when it is not one.
private func decimalExponent(_ text: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    var negative = false
    if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
        negative = text[index] == UInt8(ascii: "-")
        index += 1
    }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = min(value * 10 + Int(digit), 100_000)
        index += 1
    }
    return negative ? -value : value
}

/// `mantissa` times ten to the `power`; nil when that is more than a `Double` holds.
private func scaled(_ mantissa: UInt64, byPowerOfTen power: Int) -> Double? {
    if mantissa == 0 { return 0 }
    var value = Double(mantissa)
    // Up to 10^22 a power of ten is exact in a Double, so one multiplication or division rounds once, correctly.
    var left = power
    while left > 0 {
        let step = min(left, 22)
        value *= exactPowerOfTen(step)
        guard value.isFinite else { return nil }
        left -= step
    }
    while left < 0 {
        let step = min(-left, 22)
        value /= exactPowerOfTen(step)
        if value == 0 { return 0 }
        left += step
    }
    return value
}

/// Ten to the `power`, for 0...22, where every step of the product is exact.
func exactPowerOfTen(_ power: Int) -> Double {
    var result = 1.0
    for _ in 0..<power { result *= 10 }
    return result
}

/// The whole number that ASCII bytes such as `-42` spell, or nil when they spell none or it does not fit.
public func integer(_ text: Span<UInt8>) -> Int64? {
    fixedPoint(text, places: 0)
}

/// The number that the bytes spell, in units of ten to the minus `places`: `41.5` with two places is 4150.
///
/// For modules that must not touch `Double` (firmware without a floating-point unit). More places than asked for are
/// accepted only when they are zeros, so that nothing is rounded silently.
/// - Returns: nil when the bytes are no plain decimal number, or it does not fit into 64 bits.
public func fixedPoint(_ text: Span<UInt8>, places: Int) -> Int64? {
    guard !text.isEmpty else { return nil }
    var index = 0
    let negative = text[0] == UInt8(ascii: "-")
    if negative || text[0] == UInt8(ascii: "+") { index = 1 }
    var value: Int64 = 0
    var digits = 0
    var placesLeft = places
    var seenPoint = false
    while index < text.count {
        let byte = text[index]
        index += 1
        if byte == UInt8(ascii: "."), !seenPoint {
            seenPoint = true
            continue
        }
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        digits += 1
        if seenPoint {
            if placesLeft == 0 {
                guard digit == 0 else { return nil }
                continue
            }
            placesLeft -= 1
        }
        guard let next = value.timesTenPlus(negative ? -Int64(digit) : Int64(digit)) else { return nil }
        value = next
    }
    guard digits > 0 else { return nil }
    for _ in 0..<placesLeft {
        guard let next = value.timesTenPlus(0) else { return nil }
        value = next
    }
    return value
}

extension Int64 {
    /// Ten times this plus `digit`, or nil when that does not fit.
    fileprivate func timesTenPlus(_ digit: Int64) -> Int64? {
        let (tens, overflowed) = multipliedReportingOverflow(by: 10)
        let (sum, carried) = tens.addingReportingOverflow(digit)
        return overflowed || carried ? nil : sum
    }
}
