import TestInstruments
import Testing
import Wire

@testable import Storage

@Suite("Blocks of readings")
struct ReadingBlockTests {
    /// What readings look like, from the best to the worst that can come.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case constant, decimals, noisy, fewDifferent, anyBits, farApart, jumping, mixed

        var testDescription: String { rawValue }

        func block(_ count: Int, _ random: inout SeededGenerator) throws -> ReadingBlock {
            var time = Int64.random(in: -1_000_000_000_000...2_000_000_000_000, using: &random)
            var level = 2_150
            let raw = (0..<7).map { _ in Double.random(in: 0...1, using: &random) }
            var times: [Int64] = []
            var values: [Double] = []
            for index in 0..<count {
                times.append(time)
                switch self {
                case .constant: values.append(21.5)
                case .decimals, .mixed:
                    level += Int.random(in: -2...2, using: &random)
                    let isOdd = self == .mixed && index % 50 == 49
                    values.append(isOdd ? -.infinity : Double(level) / 100)
                case .noisy: values.append((Double.random(in: -40...85, using: &random) * 1e6).rounded() / 1e6)
                case .fewDifferent: values.append(raw[Int.random(in: 0..<7, using: &random)])
                case .anyBits: values.append(Double(bitPattern: .random(in: 0...(.max), using: &random)))
                case .farApart, .jumping:
                    values.append(Double(Int.random(in: -4...4, using: &random)) * 1_000_000_007)
                }
                switch self {
                case .constant: time += 10_000
                case .farApart: time += Int64.random(in: 1...(1 << 44), using: &random)
                case .jumping: time += Bool.random(using: &random) ? 1 : 86_400_000
                default: time += 10_000 + Int64.random(in: -40...40, using: &random)
                }
            }
            return try ReadingBlock(times: times, values: values)
        }
    }

    @Test("A block is read as it was written, bit for bit", arguments: Kind.allCases, [1, 2, 3, 255, 256, 257, 1_000])
    func roundTrip(kind: Kind, count: Int) throws {
        for seed in UInt64(1)...10 {
            print("kind \(kind) count \(count) seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let block = try kind.block(count, &random)
            #expect(try ReadingBlock(encoded: block.encoded).isIdentical(to: block))
        }
    }

    @Test("The greatest block is read as it was written")
    func greatest() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Kind.decimals.block(ReadingBlock.mostReadings, &random)
        #expect(try ReadingBlock(encoded: block.encoded).isIdentical(to: block))
    }

    @Test(
        "Values that are nearly something else stay what they are",
        arguments: [
            [0.0, -0.0, 0.1, 0.3, 0.1 + 0.2, 1 / 3],
            [.nan, -.nan, .signalingNaN, .infinity, -.infinity],
            [.leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude, .ulpOfOne],
            [4_503_599_627_370_495.5, 4_503_599_627_370_496, 9_007_199_254_740_994, 1e22, -1e300],
            [0.000001, 0.0000001, 1.000001, 999_999.999_999, -0.5, 0.5, 1.5, -1.5],
        ] as [[Double]])
    func nearly(values: [Double]) throws {
        for count in [values.count, 400] {
            let repeated = (0..<count).map { values[$0 % values.count] }
            let block = try ReadingBlock(times: (0..<Int64(count)).map { $0 }, values: repeated)
            #expect(try ReadingBlock(encoded: block.encoded).isIdentical(to: block))
        }
    }

    @Test("Times from one end of all times to the other are read as they were written")
    func times() throws {
        let block = try ReadingBlock(times: [.min, .min + 1, -1, 0, 1, .max - 1, .max], values: [1, 2, 3, 4, 5, 6, 7])
        #expect(try ReadingBlock(encoded: block.encoded).isIdentical(to: block))
    }

    @Test("Two days of a sensor that says the same each ten seconds take a quarter of a bit a reading")
    func constant() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Kind.constant.block(17_280, &random)
        let bits = Double(8 * block.encoded.count) / Double(block.count)
        print("bits of a constant reading: \(bits)")
        #expect(bits < 0.25)
    }

    @Test(
        "A day of a sensor with noise of two steps and jitter of forty milliseconds takes less than a byte and a half")
    func decimals() throws {
        var random = SeededGenerator(seed: 1)
        let block = try Kind.decimals.block(8_640, &random)
        let bytes = Double(block.encoded.count) / Double(block.count)
        print("bytes of a reading of decimals: \(bytes)")
        #expect(bytes < 1.5)
    }

    @Test("A few different values take a table, and so does one odd one among decimals")
    func table() throws {
        for kind in [Kind.fewDifferent, .mixed] {
            var random = SeededGenerator(seed: 1)
            let block = try kind.block(8_640, &random)
            #expect(block.encoded.count < 2 * block.count)
        }
    }

    @Test("A damaged block is refused, wherever the damage is, and never traps")
    func damage() throws {
        var random = SeededGenerator(seed: 3)
        let bytes = try Kind.decimals.block(20, &random).encoded
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                #expect(throws: ReadingBlockError.damaged) { try ReadingBlock(encoded: damaged) }
            }
            #expect(throws: ReadingBlockError.damaged) { try ReadingBlock(encoded: Array(bytes.prefix(place))) }
        }
    }

    @Test("Foreign bytes with a right seal are refused or read, and never trap", arguments: 1...200)
    func foreign(turn: UInt64) throws {
        var random = SeededGenerator(seed: turn)
        var bytes: [UInt8] = [1, UInt8.random(in: 0...9, using: &random), 0, UInt8.random(in: 0...20, using: &random)]
        for _ in 0..<Int.random(in: 1...80, using: &random) {
            bytes.append(Bool.random(using: &random) ? 0 : .random(in: 0...255, using: &random))
        }
        bytes.append(littleEndian: crc32(bytes[...]))
        if let block = try? ReadingBlock(encoded: bytes) {
            #expect(try ReadingBlock(encoded: block.encoded).isIdentical(to: block))
        }
    }

    @Test(
        "Of the bytes of every kind each may be another, with a right seal, and nothing traps", arguments: Kind.allCases
    )
    func changed(kind: Kind) throws {
        var random = SeededGenerator(seed: 5)
        let bytes = try Array(kind.block(300, &random).encoded.dropLast(4))
        for place in bytes.indices {
            var changed = bytes
            changed[place] = .random(in: 0...255, using: &random)
            changed.append(littleEndian: crc32(changed[...]))
            if let block = try? ReadingBlock(encoded: changed) { #expect(block.count <= ReadingBlock.mostReadings) }
        }
    }

    @Test(
        "What is no block is refused",
        arguments: [
            ([], [], .count), ([1], [], .count), ([1, 1], [0, 0], .times), ([2, 1], [0, 0], .times),
            (Array(0...65_536), [Double](repeating: 0, count: 65_537), .count),
        ] as [([Int64], [Double], ReadingBlockError)])
    func refused(times: [Int64], values: [Double], error: ReadingBlockError) {
        #expect(throws: error) { try ReadingBlock(times: times, values: values) }
    }

    @Test("The place of a time is that of the first reading which is not before it")
    func places() throws {
        let block = try ReadingBlock(times: [10, 20, 30], values: [1, 2, 3])
        #expect([9, 10, 11, 20, 30, 31].map { block.place(atOrAfter: $0) } == [0, 0, 1, 1, 2, 3])
        #expect([9, 10, 15, 30, 31].map { block.contains($0) } == [false, true, false, true, false])
    }

    @Test("The checksum of many bytes at a time is that of each after the other, from wherever it goes on")
    func checksum() {
        var random = SeededGenerator(seed: 4)
        let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        for start in 0..<9 {
            for end in start..<bytes.count {
                let before = crc32(bytes[..<start])
                let sliced = bytes[start..<end].withUnsafeBytes { SlicedChecksum.of($0, after: before) }
                guard sliced == crc32(bytes[..<end]) else {
                    Issue.record("\(start)..<\(end)")
                    return
                }
            }
        }
    }

    @Test("Bits of any number are read as they were written, and beyond their end it shows")
    func bits() {
        var random = SeededGenerator(seed: 9)
        var writer = BitWriter()
        var written: [(bits: UInt64, count: Int)] = []
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...64, using: &random)
            let bits = UInt64.random(in: 0...(.max), using: &random)
            written.append((count == 64 ? bits : bits & (1 << UInt64(count) - 1), count))
            writer.putWide(bits, count: count)
        }
        let bytes = writer.finish()
        bytes.withUnsafeBytes { bytes in
            var reader = BitReader(bytes)
            for (bits, count) in written { #expect(reader.takeWide(count) == bits) }
            #expect((0..<8).contains(reader.remaining))
            _ = reader.take(8)
            #expect(reader.remaining < 0)
        }
    }
}
