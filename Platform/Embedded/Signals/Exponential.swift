/// e to the power of `x`, in Swift alone, so that the hub, the browser and a microcontroller get the same bits.
///
/// Within one unit in the last place of the true value (the tests compare with the C library's). Infinity above
/// 709.79, zero below -745.14, NaN for NaN.
///
/// Method: `x = k ln 2 + r` with `|r| <= ln 2 / 2`, the Taylor series of `e^r` to the 13th power (its remainder is
/// below 1e-17 there), scaled by `2^k`.
public func exp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 709.782712893384 { return .infinity }
    if x < -745.1332191019412 { return 0 }
    let k = (x * 1.4426950408889634).rounded()
    // ln 2 in two parts; the first has so few digits that its product with k is exact.
    let high = x - k * ln2High
    let low = k * ln2Low
    let r = high - low
    var sum = 1.0 / 6_227_020_800
    for divisor in expDivisors { sum = sum * r + divisor }
    // The low part is what rounding `r` lost.
    let lost = (high - r) - low
    let result = 1 + (r + (r * r * sum + lost))
    return scaled(result, byPowerOfTwo: Int(k))
}

/// The natural logarithm of `x`, in Swift alone.
///
/// Within two units in the last place of the true value. Minus infinity for zero, NaN below.
///
/// Method: `x = 2^k m` with `m` between the square roots of a half and of two, then
/// `ln m = 2 artanh((m - 1) / (m + 1))` as its series to the 23rd power.
public func log(_ x: Double) -> Double {
    if x.isNaN || x < 0 { return .nan }
    if x == 0 { return -.infinity }
    if x == .infinity { return x }
    var k = Double(x.exponent)
    var m = x.significand
    if m > 1.4142135623730951 {
        m /= 2
        k += 1
    }
    let f = m - 1
    let s = f / (2 + f)
    let square = s * s
    var sum = 0.0
    var odd = 23.0
    while odd > 2 {
        sum = (sum + 1 / odd) * square
        odd -= 2
    }
    // ln m = 2s + 2s·sum = f - s·(f - 2·sum): the large part, f, is exact.
    return k * ln2High + (f - (s * (f - 2 * sum) - k * ln2Low))
}

private let ln2High = 0.693147180369123816490
private let ln2Low = 1.90821492927058770002e-10

/// One divided by 12!, 11! ... 2!: the coefficients of the series after the first taken.
private let expDivisors: [Double] = [
    1.0 / 479_001_600, 1.0 / 39_916_800, 1.0 / 3_628_800, 1.0 / 362_880, 1.0 / 40_320, 1.0 / 5_040, 1.0 / 720,
    1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2,
]

/// `value` times two to the `power`, in two steps where one would leave the range of normal numbers.
private func scaled(_ value: Double, byPowerOfTwo power: Int) -> Double {
    if power > 1_000 { return value * powerOfTwo(1_000) * powerOfTwo(power - 1_000) }
    if power < -1_000 { return value * powerOfTwo(-1_000) * powerOfTwo(power + 1_000) }
    return value * powerOfTwo(power)
}

private func powerOfTwo(_ power: Int) -> Double {
    Double(bitPattern: UInt64(power + 1_023) << 52)
}
