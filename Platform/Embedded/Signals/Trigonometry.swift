/// The sine of `x` radians, in Swift alone, so that the hub, the browser and a microcontroller get the same bits.
///
/// Within two units in the last place of the true value, or 1e-16 where that is more, for angles up to a million;
/// beyond that the error grows as the angle's own spacing does. NaN for what is no number, and from 9e15 on, where angles
/// are more than a radian apart.
///
/// Method: the angle less the nearest multiple of a quarter turn, subtracted in three parts (Cody and Waite, “Software
/// Manual for the Elementary Functions”, 1980, chapter 8), then the Taylor series of sine or cosine, whose remainders
/// are below 1e-19 there.
public func sin(_ x: Double) -> Double {
    guard let (r, quadrant) = reduced(x) else { return .nan }
    switch quadrant {
    case 0: return sineSeries(r)
    case 1: return cosineSeries(r)
    case 2: return -sineSeries(r)
    default: return -cosineSeries(r)
    }
}

/// The cosine of `x` radians, as exact as ``sin(_:)``.
public func cos(_ x: Double) -> Double {
    guard let (r, quadrant) = reduced(x) else { return .nan }
    switch quadrant {
    case 0: return cosineSeries(r)
    case 1: return -sineSeries(r)
    case 2: return -cosineSeries(r)
    default: return sineSeries(r)
    }
}

/// The angle of the point (`x`, `y`) as seen from the origin, in radians, from -π to π; 0 for the origin itself, NaN if
/// a coordinate is not a number.
///
/// Within four units in the last place of the true value. Method: the quotient of the smaller by the larger, whose
/// angle is halved twice, then the series of the arc tangent to the 23rd power; its remainder is below 1e-19 there.
public func atan2(_ y: Double, _ x: Double) -> Double {
    if x.isNaN || y.isNaN { return .nan }
    let (width, height) = (x.magnitude, y.magnitude)
    if width == 0, height == 0 { return 0 }
    var angle: Double
    if width.isInfinite, height.isInfinite {
        angle = .pi / 4
    } else if height <= width {
        angle = arcTangent(height / width)
    } else {
        angle = .pi / 2 - arcTangent(width / height)
    }
    if x < 0 { angle = .pi - angle }
    return y < 0 ? -angle : angle
}

/// The angle whose sine is `x`, radians; beyond -1 and 1 that of the nearest of the two.
public func asin(_ x: Double) -> Double {
    let x = min(max(x, -1), 1)
    return atan2(x, ((1 - x) * (1 + x)).squareRoot())
}

/// The arc tangent of a number from 0 to 1.
private func arcTangent(_ x: Double) -> Double {
    // atan x = 2 atan (x / (1 + √(1 + x²))), twice: what is left is at most tan (π / 16).
    let half = x / (1 + (1 + x * x).squareRoot())
    let quarter = half / (1 + (1 + half * half).squareRoot())
    let square = quarter * quarter
    var sum = 0.0
    var odd = 23.0
    while odd > 2 {
        sum = square * (1 / odd - sum)
        odd -= 2
    }
    return 4 * (quarter - quarter * sum)
}

/// The angle reduced to within an eighth of a turn of 0, and the number of quarter turns that were subtracted, 0 to 3.
private func reduced(_ x: Double) -> (r: Double, quadrant: Int)? {
    guard x.isFinite, x.magnitude < 9e15 else { return nil }
    let quarters = (x * 0.636619772367581343).rounded()
    // The first two parts have so few digits that their products with the quarters are exact, up to a million.
    let r =
        ((x - quarters * 1.57079632673412561417) - quarters * 6.07710050630396597660e-11) - quarters
        * 2.02226624879595063154e-21
    return (r, Int(quarters) & 3)
}

private func sineSeries(_ r: Double) -> Double {
    let square = r * r
    var sum = 0.0
    var n = 18.0
    while n > 1 {
        sum = square / (n * (n + 1)) * (1 - sum)
        n -= 2
    }
    return r - r * sum
}

private func cosineSeries(_ r: Double) -> Double {
    let square = r * r
    var sum = 0.0
    var n = 19.0
    while n > 2 {
        sum = square / (n * (n + 1)) * (1 - sum)
        n -= 2
    }
    // 1 - r²/2 (1 - sum), with the large part rounded once.
    return 1 - square / 2 * (1 - sum)
}
