import Wire

extension FuzzTarget {
    /// Blocks of samples, sealed here: otherwise the seal would refuse nearly all that is tried.
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
        FuzzTarget("sample-summary", seeds: [[1, 3, 1, 4, 9]]) { bytes throws(BrokenProperty) in
            guard let summary = try? SampleSummary(start: 0, encoded: bytes) else { return }
            let again = try succeeds("what was read can be read as it is written") {
                () throws(SampleBlockError) in try SampleSummary(start: 0, encoded: summary.encoded)
            }
            try require(again == summary, "a summary is read as it was written")
        },
    ]

    /// Bytes with the checksum behind them that a block ends with.
    package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var sealed = bytes
        sealed.append(littleEndian: crc32(bytes[...]))
        return sealed
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
