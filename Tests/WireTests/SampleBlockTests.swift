import TestInstruments
import Testing

@testable import Wire

@Suite("Blocks of samples")
struct SampleBlockTests {
    /// Nine axes as a phone's sensors give them: noise of a few steps around a slow swing.
    private func motion(_ count: Int, interval: Int64, seed: UInt64) throws -> SampleBlock {
        var random = SeededGenerator(seed: seed)
        let axes = (0..<9).map { axis in
            (0..<count).map { index in
                Int64(axis * 1_000 + (index % 100) * 7) + Int64.random(in: -20...20, using: &random)
            }
        }
        return try SampleBlock(start: 1_795_220_000_000_000, interval: interval, axes: axes)
    }

    @Test("A block is read as it was written, whatever its times and values are", arguments: 1...40)
    func roundTrip(turn: UInt64) throws {
        print("seed \(turn)")
        var random = SeededGenerator(seed: turn)
        let count = Int.random(in: 1...300, using: &random)
        var time = Int64.random(in: 0...1_000, using: &random)
        let times = (0..<count).map { _ in
            time += Int64.random(in: 1...(Bool.random(using: &random) ? 2 : 1 << 40), using: &random)
            return time
        }
        let axes = (0..<Int.random(in: 1...9, using: &random)).map { _ in
            (0..<count).map { _ in Int64.random(in: -SampleBlock.greatest...SampleBlock.greatest, using: &random) }
        }
        let block = try SampleBlock(times: times, axes: axes)
        #expect(try SampleBlock(encoded: block.encoded) == block)
        for width: Int64 in [1, 1_000, 1 << 41] {
            for summary in SampleSummary.of(block, width: width) {
                #expect(try SampleSummary(start: summary.start, encoded: summary.encoded) == summary)
            }
        }
    }

    @Test("Nine axes at 200 Hz take less than twelve bytes for the three axes of a sensor’s sample, summaries included")
    func size() throws {
        let block = try motion(2_000, interval: 5_000, seed: 7)
        let summaries = [1_000_000, 60_000_000, 3_600_000_000].flatMap { SampleSummary.of(block, width: $0) }
        let bytes = block.encoded.count + summaries.map(\.encoded.count).reduce(0, +)
        let each = Double(bytes) / Double(3 * block.count)
        print("bytes of a sample of three axes: \(each)")
        #expect(each < 12)
    }

    @Test("A damaged block is refused, wherever the damage is, and never traps")
    func damage() throws {
        let bytes = try motion(20, interval: 5_000, seed: 3).encoded
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                #expect(throws: SampleBlockError.self) { try SampleBlock(encoded: damaged) }
            }
            #expect(throws: SampleBlockError.self) { try SampleBlock(encoded: Array(bytes.prefix(place))) }
        }
    }

    @Test("Foreign bytes with a right seal are refused or read, and never trap", arguments: 1...200)
    func foreign(turn: UInt64) {
        var random = SeededGenerator(seed: turn)
        var bytes: [UInt8] =
            [1]
            + (0..<Int.random(in: 4...60, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...4, using: &random) : .random(in: 0...255, using: &random)
            }
        _ = try? SampleSummary(start: 0, encoded: bytes)
        bytes.append(littleEndian: crc32(bytes[...]))
        if let block = try? SampleBlock(encoded: bytes) { #expect(block.count > 0) }
    }

    @Test(
        "What is no block is refused",
        arguments: [
            ([], [[]], .sampleCount), ([1], [], .axisCount), ([1, 1], [[0, 0]], .times), ([2, 1], [[0, 0]], .times),
            ([-1], [[0]], .times), ([1 << 53], [[0]], .times), ([1], [[0, 1]], .sampleCount),
            ([1], [[1 << 31 + 1]], .value), ([1], [[.min]], .value),
            ([1], [[Int64]](repeating: [0], count: 33), .axisCount),
            (Array(0...4_096), [Array(0...4_096)], .sampleCount),
        ] as [([Int64], [[Int64]], SampleBlockError)])
    func refused(times: [Int64], axes: [[Int64]], error: SampleBlockError) {
        #expect(throws: error) { try SampleBlock(times: times, axes: axes) }
    }

    @Test(
        "A constant rate beyond all times is refused, and does not trap",
        arguments: [(0, 0), (-1, 5), (5, .max), (.max, 5), (1 << 53 - 1, 5)] as [(Int64, Int64)])
    func rates(start: Int64, interval: Int64) {
        #expect(throws: SampleBlockError.times) {
            try SampleBlock(start: start, interval: interval, axes: [[1, 2, 3]])
        }
    }

    @Test("Pieces begin after each pause that is longer than a gap")
    func pieces() throws {
        let block = try SampleBlock(times: [0, 10, 20, 31, 41, 100], axes: [[1, 2, 3, 4, 5, 6]])
        #expect(block.pieces(gap: 10).map(\.times) == [[0, 10, 20], [31, 41], [100]])
        #expect(block.pieces(gap: 11).map(\.times) == [[0, 10, 20, 31, 41], [100]])
        #expect(block.pieces(gap: 100) == [block])
    }
}
