import FuzzTargets
import Storage

extension FuzzTarget {
    /// Blocks of readings, sealed here: otherwise the seal would refuse nearly all that is tried.
    static let readings: [FuzzTarget] = [
        FuzzTarget("reading-block", seeds: readingSeeds) { bytes throws(BrokenProperty) in
            guard let block = try? ReadingBlock(encoded: sealed(bytes)) else { return }
            try require(block.count > 0 && block.first <= block.last, "a block has readings at rising times")
            let again = try succeeds("what was read can be read as it is written") {
                () throws(ReadingBlockError) in try ReadingBlock(encoded: block.encoded)
            }
            try require(again.isIdentical(to: block), "a block is read as it was written")
            try require(
                block.place(atOrAfter: block.first) == 0 && block.contains(block.last), "each reading has its place"
            )
        }
    ]

    /// Without their seals: one of each form that values have.
    private static var readingSeeds: [[UInt8]] {
        let times: [Int64] = (0..<40).map { 1_795_220_000_000 + $0 * 10_000 + $0 % 7 }
        let forms: [[Double]] = [
            times.map { Double($0 % 130) / 10 }, times.map { $0 % 3 == 0 ? 1 / 3 : -0.0 },
            times.map { 1 / Double($0) },
        ]
        return forms.compactMap { values in
            (try? ReadingBlock(times: times, values: values)).map { Array($0.encoded.dropLast(4)) }
        }
    }
}
