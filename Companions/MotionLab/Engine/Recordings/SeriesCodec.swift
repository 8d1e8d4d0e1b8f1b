/// The compression of a series of integers: the difference of each from a prediction by those before it, in a Rice
/// code.
///
/// Robinson, “SHORTEN: Simple Lossless and Near-Lossless Waveform Compression”, Cambridge University, 1994, as FLAC has
/// it (RFC 9639, sections 9.2.5 and 9.2.7): fixed predictors of order 0 to 3, of which the best is taken for each
/// series. What is written: the order (2 bits), the Rice parameter (5 bits; 31 where all is as expected), as many first
/// values as the order, and of each other value the difference in zigzag, its quotient in unary and its rest in as many
/// bits as the parameter says. Twenty zeros say that a number of up to 63 bits follows as it is.
enum SeriesCodec {
    private static let constant: UInt64 = 31
    private static let escape = 20

    static func write(_ values: [Int64], to bits: inout BitWriter) {
        var differences = values
        var bestOrder = 0
        var best = values
        var least = sum(values, from: 0)
        // In a short series the first values, which are written as they are, cost more than a better guess saves.
        for order in 1...3 where order * 8 < values.count {
            var place = values.count - 1
            while place >= order {
                differences[place] = differences[place] &- differences[place - 1]
                place -= 1
            }
            let size = sum(differences, from: order)
            if size < least { (least, bestOrder, best) = (size, order, differences) }
        }
        // `best` has the first values differenced as well: they are written as they are.
        bits.write(UInt64(bestOrder), count: 2)
        let count = values.count - bestOrder
        let parameter =
            least == 0 ? constant : parameter(of: best, from: bestOrder, mean: least / UInt64(max(count, 1)))
        bits.write(parameter, count: 5)
        for place in 0..<min(bestOrder, values.count) { bits.write(number: zigzag(values[place])) }
        guard parameter != constant else { return }
        for place in bestOrder..<values.count {
            let number = zigzag(best[place])
            let quotient = number >> parameter
            if quotient < UInt64(escape) {
                bits.write(1, count: Int(quotient) + 1)
                bits.write(number, count: Int(parameter))
            } else {
                bits.write(0, count: escape)
                bits.write(number: number)
            }
        }
    }

    /// Reads a series.
    ///
    /// - Returns: nil where the bits end before; what was read may be any numbers.
    static func read(count: Int, from bits: inout BitReader) -> [Int64]? {
        let order = Int(bits.read(count: 2))
        let parameter = bits.read(count: 5)
        guard order <= count else { return nil }
        var values: [Int64] = []
        values.reserveCapacity(count)
        for _ in 0..<order { values.append(unzigzag(bits.number())) }
        for place in order..<count {
            var number: UInt64 = 0
            if parameter != constant {
                var quotient = 0
                while quotient < escape, bits.read(count: 1) == 0 { quotient += 1 }
                number =
                    quotient == escape
                    ? bits.number() : UInt64(quotient) << parameter | bits.read(count: Int(parameter))
                if bits.isCutOff { return nil }
            }
            let difference = unzigzag(number)
            switch order {
            case 0: values.append(difference)
            case 1: values.append(difference &+ values[place - 1])
            case 2: values.append(difference &+ 2 &* values[place - 1] &- values[place - 2])
            default:
                values.append(
                    difference &+ 3 &* values[place - 1] &- 3 &* values[place - 2] &+ values[place - 3])
            }
        }
        return bits.isCutOff ? nil : values
    }

    private static func parameter(of values: [Int64], from start: Int, mean: UInt64) -> UInt64 {
        // The best parameter is next to the logarithm of the mean.
        let middle = mean == 0 ? 0 : 63 - mean.leadingZeroBitCount
        var (best, least) = (UInt64(min(middle, 30)), UInt64.max)
        for parameter in UInt64(max(middle - 1, 0))...UInt64(middle + 1) where parameter <= 30 {
            var size: UInt64 = 0
            for place in start..<values.count {
                let quotient = zigzag(values[place]) >> parameter
                size += quotient < UInt64(escape) ? quotient + 1 + parameter : UInt64(escape) + 40
            }
            if size < least { (best, least) = (parameter, size) }
        }
        return best
    }

    private static func sum(_ values: [Int64], from start: Int) -> UInt64 {
        var sum: UInt64 = 0
        for place in start..<values.count {
            let (next, overflowed) = sum.addingReportingOverflow(zigzag(values[place]))
            sum = overflowed ? .max : next
        }
        return sum
    }

    private static func zigzag(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }
    private static func unzigzag(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
