import Signals

/// The discrete Fourier transform of a number of values that is a power of two, in place.
///
/// Cooley and Tukey, “An Algorithm for the Machine Calculation of Complex Fourier Series”, Mathematics of Computation
/// 19 (1965): bit-reversed order first, then two of its steps at a time (radix 4), and one of radix 2 where their
/// number is odd. The factors of unity are computed once for a size.
public struct FastFourierTransform: Sendable {
    /// The most values.
    public static let mostCount = 16_384

    /// The number of values that it transforms.
    public let count: Int
    /// cos and sin of 2πk / count, for k up to three quarters of it.
    private let cosines: [Double]
    private let sines: [Double]
    private let reversed: [Int32]

    /// A transform of a size.
    ///
    /// - Parameter count: a power of two, from 2 to ``mostCount``.
    /// - Returns: nil for another count.
    public init?(count: Int) {
        guard count >= 2, count <= Self.mostCount, count & (count - 1) == 0 else { return nil }
        self.count = count
        var cosines: [Double] = []
        var sines: [Double] = []
        let factors = max(count * 3 / 4, 1)
        cosines.reserveCapacity(factors)
        sines.reserveCapacity(factors)
        for k in 0..<factors {
            let angle = 2 * Double.pi * Double(k) / Double(count)
            cosines.append(cos(angle))
            sines.append(sin(angle))
        }
        var reversed = [Int32](repeating: 0, count: count)
        let bits = count.trailingZeroBitCount
        for place in 0..<count {
            var (rest, mirror) = (place, 0)
            for _ in 0..<bits {
                mirror = mirror << 1 | rest & 1
                rest >>= 1
            }
            reversed[place] = Int32(mirror)
        }
        self.cosines = cosines
        self.sines = sines
        self.reversed = reversed
    }

    /// Transforms values; those at place k become those of the frequency k / ``count`` of the sampling rate.
    ///
    /// - Parameters:
    ///   - real: ``count`` values; another number is left as it is, as is the other.
    ///   - imaginary: likewise.
    public func transform(real: inout [Double], imaginary: inout [Double]) {
        guard real.count == count, imaginary.count == count else { return }
        real.withUnsafeMutableBufferPointer { re in
            imaginary.withUnsafeMutableBufferPointer { im in
                reversed.withUnsafeBufferPointer { reversed in
                    for place in 0..<count {
                        let mirror = Int(reversed[place])
                        guard mirror > place else { continue }
                        (re[place], re[mirror]) = (re[mirror], re[place])
                        (im[place], im[mirror]) = (im[mirror], im[place])
                    }
                }
                cosines.withUnsafeBufferPointer { cosines in
                    sines.withUnsafeBufferPointer { sines in
                        var size = 1
                        if count.trailingZeroBitCount % 2 == 1 {
                            for base in stride(from: 0, to: count, by: 2) { pair(base, re, im) }
                            size = 2
                        }
                        while size < count {
                            quads(size, re, im, cosines, sines)
                            size *= 4
                        }
                    }
                }
            }
        }
    }

    private func pair(_ base: Int, _ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>) {
        let (r, i) = (re[base + 1], im[base + 1])
        (re[base + 1], im[base + 1]) = (re[base] - r, im[base] - i)
        (re[base], im[base]) = (re[base] + r, im[base] + i)
    }

    /// Merges four transforms of `size` values each to one of four times as many.
    private func quads(
        _ size: Int, _ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>,
        _ cosines: UnsafeBufferPointer<Double>, _ sines: UnsafeBufferPointer<Double>
    ) {
        let step = count / (size * 4)
        for offset in 0..<size {
            let (c1, s1) = (cosines[offset * step], sines[offset * step])
            let (c2, s2) = (cosines[2 * offset * step], sines[2 * offset * step])
            let (c3, s3) = (cosines[3 * offset * step], sines[3 * offset * step])
            var place = offset
            while place < count {
                // In bit-reversed order the second quarter holds those of twice the factor.
                let (p1, p2, p3) = (place + size, place + 2 * size, place + 3 * size)
                let (ar, ai) = (re[place], im[place])
                let (br, bi) = (re[p1] * c2 + im[p1] * s2, im[p1] * c2 - re[p1] * s2)
                let (cr, ci) = (re[p2] * c1 + im[p2] * s1, im[p2] * c1 - re[p2] * s1)
                let (dr, di) = (re[p3] * c3 + im[p3] * s3, im[p3] * c3 - re[p3] * s3)
                let (sumR, sumI) = (ar + br, ai + bi)
                let (lessR, lessI) = (ar - br, ai - bi)
                let (otherR, otherI) = (cr + dr, ci + di)
                let (turnR, turnI) = (ci - di, dr - cr)
                (re[place], im[place]) = (sumR + otherR, sumI + otherI)
                (re[p1], im[p1]) = (lessR + turnR, lessI + turnI)
                (re[p2], im[p2]) = (sumR - otherR, sumI - otherI)
                (re[p3], im[p3]) = (lessR - turnR, lessI - turnI)
                place += 4 * size
            }
        }
    }
}
