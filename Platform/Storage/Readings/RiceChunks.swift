/// The encoding of numbers that change little from one to the next. They are split into chunks, each encoded in the
/// better of two ways (as differences or as they are), minus the median, in zigzag form as a Rice code (R. F. Rice,
/// *Some Practical Universal Noiseless Coding Techniques*, JPL 79-22) with the parameter that makes the chunk shortest.
///
/// A chunk has 1 bit for differences, 6 bits for the parameter, the median, and the code of each number: the quotient
/// as ones before a 0, and the remainder. A quotient of ``mostOnes`` or more is so many ones, without a 0, and the 64
/// bits of the number. If each number is the median, as with a clock that ticks exactly, a special parameter is all.
enum RiceChunks {
    /// The number of numbers in a chunk.
    static let length = 256
    /// The quotient from which the number itself is written.
    static let mostOnes = 24
    /// The greatest parameter.
    static let mostBits = 56
    /// A special parameter: all numbers are the median, and nothing follows.
    static let allAlike = 63
}

extension BitWriter {
    /// Appends numbers, with differences counted from `first`. Differences that do not fit 64 bits wrap around, there and back.
    mutating func put(_ numbers: [Int64], after first: Int64) {
        var before = first
        for start in stride(from: 0, to: numbers.count, by: RiceChunks.length) {
            let chunk = numbers[start..<min(start + RiceChunks.length, numbers.count)]
            var differences: [Int64] = []
            differences.reserveCapacity(chunk.count)
            for number in chunk {
                differences.append(number &- before)
                before = number
            }
            let steps = RiceChunk(differences)
            let levels = RiceChunk(Array(chunk))
            let areSteps = steps.size <= levels.size
            put(areSteps ? 1 : 0, count: 1)
            put(areSteps ? steps : levels)
        }
    }

    private mutating func put(_ chunk: RiceChunk) {
        put(UInt64(chunk.parameter), count: 6)
        put(signed: chunk.median)
        guard chunk.parameter != RiceChunks.allAlike else { return }
        for residual in chunk.residuals {
            let quotient = residual >> UInt64(chunk.parameter)
            if quotient < UInt64(RiceChunks.mostOnes) {
                let ones = (UInt64(1) << quotient - 1) << 1
                put(ones, count: Int(quotient) + 1)
                put(residual, count: chunk.parameter)
            } else {
                put(UInt64(1) << UInt64(RiceChunks.mostOnes) - 1, count: RiceChunks.mostOnes)
                putWide(residual, count: 64)
            }
        }
    }
}

/// A chunk of numbers minus their median, with the parameter that makes them shortest.
private struct RiceChunk {
    let median: Int64
    let residuals: [UInt64]
    private(set) var parameter = RiceChunks.allAlike
    /// The size of all codes, in bits.
    private(set) var size = 0

    /// Creates a chunk.
    ///
    /// - Parameter numbers: the numbers; not empty.
    init(_ numbers: [Int64]) {
        var sorted = numbers
        sorted.sort()
        let median = sorted[sorted.count / 2]
        self.median = median
        var residuals: [UInt64] = []
        residuals.reserveCapacity(numbers.count)
        var greatest: UInt64 = 0
        for number in numbers {
            let residual = (number &- median).zigzag
            greatest = max(greatest, residual)
            residuals.append(residual)
        }
        self.residuals = residuals
        guard greatest > 0 else { return }
        size = .max
        for bits in 0...min(greatest.bitWidthUsed, RiceChunks.mostBits) {
            var sum = 0
            for residual in residuals {
                let quotient = residual >> UInt64(bits)
                sum += quotient < UInt64(RiceChunks.mostOnes) ? Int(quotient) + 1 + bits : RiceChunks.mostOnes + 64
            }
            if sum < size { (size, parameter) = (sum, bits) }
        }
    }
}

extension BitReader {
    /// Reads numbers that ``BitWriter/put(_:after:)`` wrote. Beyond the end it still returns as many as requested.
    ///
    /// - Parameter numbers: the first number, and room for the others.
    /// - Returns: whether the bits are such numbers.
    mutating func takeNumbers(into numbers: UnsafeMutableBufferPointer<Int64>) -> Bool {
        guard var before = numbers.first else { return false }
        var start = 1
        while start < numbers.count {
            let end = min(start + RiceChunks.length, numbers.count)
            // A difference is added to the number before; a number itself to nought.
            let mask: Int64 = take(1) == 1 ? -1 : 0
            let parameter = Int(take(6))
            guard let median = signed(), parameter <= RiceChunks.mostBits || parameter == RiceChunks.allAlike else {
                return false
            }
            if parameter == RiceChunks.allAlike {
                for index in start..<end {
                    before = (before & mask) &+ median
                    numbers[index] = before
                }
            } else {
                for index in start..<end {
                    let residual = takeRice(parameter, most: RiceChunks.mostOnes)
                    before = (before & mask) &+ (median &+ Int64(zigzag: residual))
                    numbers[index] = before
                }
            }
            start = end
        }
        return true
    }
}
