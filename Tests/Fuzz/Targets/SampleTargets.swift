import Wire

extension FuzzTarget {
    /// Blocks of samples and of readings, sealed here: otherwise the seal would refuse nearly all that is tried.
    static let samples: [FuzzTarget] = [
        FuzzTarget("sample-block", seeds: sampleSeeds) { bytes throws(BrokenProperty) in
            guard let block = try? SampleBlock(encoded: sealed(bytes)) else { return }
            try require(block.count > 0 && block.first <= block.last, "a block has samples at rising times")
            let again = try succeeds("what was read can be read as it is written") {
                () throws(SampleBlockError) in try SampleBlock(encoded: block.encoded)
            }
            try require(again == block, "a block is read as it was written")
            let summaries = SampleSummary.of(block, width: 1_000_000)
            try require(
                summaries.reduce(0) { $0 + $1.count } == Int64(block.count), "summaries count each sample once")
            let pieces = block.pieces(gap: 1_000)
            try require(pieces.reduce(0) { $0 + $1.count } == block.count, "pieces have each sample once")
        },
        FuzzTarget("reading-block", seeds: readingSeeds) { bytes throws(BrokenProperty) in
            guard let block = try? ReadingBlock(encoded: sealed(bytes)) else { return }
            try require(block.count > 0 && block.first <= block.last, "a block has readings at rising times")
            let again = try succeeds("what was read can be read as it is written") {
                () throws(ReadingBlockError) in try ReadingBlock(encoded: block.encoded)
            }
            try require(again.isIdentical(to: block), "a block is read as it was written")
            try require(
                block.place(atOrAfter: block.first) == 0 && block.contains(block.last), "each reading has its place")
        },
        FuzzTarget("sample-summary", seeds: [[1, 3, 1, 4, 9]]) { bytes throws(BrokenProperty) in
            guard let summary = try? SampleSummary(start: 0, encoded: bytes) else { return }
            let again = try succeeds("what was read can be read as it is written") {
                () throws(SampleBlockError) in try SampleSummary(start: 0, encoded: summary.encoded)
            }
            try require(again == summary, "a summary is read as it was written")
        },
    ]

    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var sealed = bytes
        sealed.append(littleEndian: crc32(bytes[...]))
        return sealed
    }

    /// Without their seals: one of each form that values have.
    private static var readingSeeds: [[UInt8]] {
        let times: [Int64] = (0..<40).map { 1_795_220_000_000 + $0 * 10_000 + $0 % 7 }
        let forms: [[Double]] = [
            times.map { Double($0 % 130) / 10 }, times.map { $0 % 3 == 0 ? 1 / 3 : -0.0 }, times.map { 1 / Double($0) },
        ]
        return forms.compactMap { values in
            (try? ReadingBlock(times: times, values: values)).map { Array($0.encoded.dropLast(4)) }
        }
    }

    /// Without their seals.
    private static var sampleSeeds: [[UInt8]] {
        let blocks = [
            try? SampleBlock(start: 1_795_220_000_000_000, interval: 5_000, axes: [[1, -2, 300], [0, 0, -70_000]]),
            try? SampleBlock(times: [0, 7, 1_000_000], axes: [[5, 5, 5]]),
        ]
        return blocks.compactMap { $0.map { Array($0.encoded.dropLast(4)) } }
    }
}
