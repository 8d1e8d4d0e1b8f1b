/// The largest whole number whose square is at most `value`, for statistics in integers, which are the same in every
/// build.
///
/// Method: one bit of the root after another, the highest first, as one does by hand (Warren, “Hacker's Delight”, 2nd
/// edition, section 11-1).
public func integerSquareRoot(_ value: UInt64) -> UInt64 {
    var rest = value
    var root: UInt64 = 0
    var bit: UInt64 = 1 << 62
    while bit > value { bit >>= 2 }
    while bit != 0 {
        if rest >= root + bit {
            rest -= root + bit
            root = (root >> 1) + bit
        } else {
            root >>= 1
        }
        bit >>= 2
    }
    return root
}

/// `dividend / divisor` to the nearest whole number, halves away from nought.
///
/// - Parameter divisor: above nought.
public func roundedQuotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
    let half = divisor / 2
    return (dividend < 0 ? dividend - half : dividend + half) / divisor
}
