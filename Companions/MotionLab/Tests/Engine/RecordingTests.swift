import Foundation
import MotionLabEngine
import TestInstruments
import Testing
import Wire

@Suite("Recordings")
struct RecordingTests {
    static let start: Int64 = 1_795_220_639_132_000
    static let seeds: [UInt64] = [1, 2, 3, UInt64.random(in: 4...UInt64.max)]

    static func header(_ kinds: [SensorKind]) -> RecordingHeader {
        RecordingHeader(
            id: Array(0..<16), person: Array("anna".utf8), device: Array("phone-1".utf8),
            experiment: Array("pendulum".utf8), utcOffsetMinutes: 60, startedAt: start,
            streams: kinds.map { RecordedStream(kind: $0, source: .genericSensor, claimedMillihertz: 200_000) })
    }

    /// Noise as a sensor's is.
    private static func gauss(_ random: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
    }

    enum Signal: String, CaseIterable {
        case quiet, moving, noisy
    }

    /// Nine axes at 200 Hz, taken every two seconds, with times that scatter by half a millisecond.
    private static func bytes(_ signal: Signal, seconds: Int) throws -> Int {
        var random = SeededGenerator(seed: 5)
        var writer = try RecordingWriter(header: header([.accelerometer, .gyroscope, .magnetometer]))
        var count = 0
        for place in 0..<200 * seconds {
            let t = Double(place) / 200
            let time = start + Int64(place) * 5_000 + Int64(Double.random(in: -500...500, using: &random))
            // A phone on a table, in the pocket of somebody who walks, and on a machine that shakes it by half a g.
            let swing = signal == .quiet ? 0 : 0.4 * sin(2 * Double.pi * 1.8 * t) + 0.15 * sin(2 * Double.pi * 7.3 * t)
            let noise = signal == .noisy ? 0.5 : signal == .moving ? 0.01 : 0.0006
            func value(_ base: Double, _ factor: Double) -> Double {
                base + factor * (swing + noise * gauss(&random))
            }
            writer.add([value(0, 1), value(0.1, 0.6), value(1, 1)], to: 0, at: time)
            writer.add([value(0, 2), value(0, 1), value(0, 3)], to: 1, at: time)
            writer.add([value(20, 4), value(-5, 4), value(-40, 4)], to: 2, at: time)
            if place % 400 == 399 { count += writer.takeBytes().count }
        }
        return count + writer.takeBytes().count
    }

    @Test(
        "A sample of three axes is under 12 bytes, and half an hour of nine axes at 200 Hz under 6.5 MB",
        arguments: Signal.allCases)
    func size(signal: Signal) throws {
        let seconds = 60
        let count = try Self.bytes(signal, seconds: seconds)
        let aSample = Double(count) / Double(200 * seconds * 3)
        let halfAnHour = Double(count) * 30 * 60 / Double(seconds) / 1e6
        print("recording, \(signal): \(aSample) bytes a sample of three axes, \(halfAnHour) MB in half an hour")
        #expect(aSample < 12)
        #expect(halfAnHour <= 6.5)
    }

    /// A recording of random samples, and what was put into it.
    private func random(_ random: inout SeededGenerator) throws -> (bytes: [UInt8], chunks: [Int], samples: [Int]) {
        let kinds: [SensorKind] = [.accelerometer, .barometer, .orientation]
        var writer = try RecordingWriter(header: Self.header(kinds))
        var bytes = writer.takeBytes()
        var (chunks, samples) = ([bytes.count], [0, 0, 0])
        for chunk in 0..<Int.random(in: 1...6, using: &random) {
            for place in 0..<Int.random(in: 0...60, using: &random) {
                let stream = Int.random(in: 0..<3, using: &random)
                let size = pow(10, Double.random(in: -4...5, using: &random))
                let values = (0..<kinds[stream].axisCount).map { _ in
                    Double?.some(.random(in: -size...size, using: &random))
                }
                let time = Self.start + Int64(chunk) * 1_000_000 + Int64(place) * 10_000
                if writer.add(values, to: stream, at: time) { samples[stream] += 1 }
            }
            if Bool.random(using: &random) {
                writer.add(.annotation(at: Self.start + Int64(chunk), text: Array("é".utf8)))
            }
            #expect(writer.offset == bytes.count)
            bytes += writer.takeBytes()
            chunks.append(bytes.count)
        }
        return (bytes, chunks, samples)
    }

    @Test("What was written is read, however it was cut into chunks", arguments: seeds)
    func roundTrip(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let (bytes, _, samples) = try random(&generator)
            let counts = try RecordingSummary(bytes, isComplete: true).streams.map { $0.samples }
            #expect(counts == samples)
        }
    }

    @Test("The values that come back are those that went in, to half of what the kind distinguishes")
    func values() throws {
        var writer = try RecordingWriter(header: Self.header([.gyroscope]))
        let values = (0..<500).map { [sin(Double($0)) * 30, Double($0), -0.00005 * Double($0)] }
        for (place, sample) in values.enumerated() {
            writer.add(sample, to: 0, at: Self.start + Int64(place) * 5_001)
        }
        var reader = try RecordingReader(writer.takeBytes(), isComplete: true)
        let record = try reader.next()
        guard case .samples(let stream, let block)? = record else {
            Issue.record("The first record is \(String(describing: record))")
            return
        }
        #expect(stream == 0 && block.count == 500 && reader.header.streams[0].source == .genericSensor)
        for (place, sample) in values.enumerated() {
            #expect(block.times[place] == Self.start + Int64(place) * 5_001)
            for axis in 0..<3 {
                #expect(abs(SensorKind.gyroscope.value(block.axes[axis][place]) - sample[axis]) <= 0.0000501)
            }
        }
        let after = try reader.next()
        #expect(after == nil)
    }

    @Test(
        "Cut off anywhere, all whole records are there, and a complete one that is cut off is refused", arguments: seeds
    )
    func cuts(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let (bytes, _, _) = try random(&generator)
        var reader = try RecordingReader(bytes, isComplete: true)
        var ends = [reader.offset]
        while try reader.next() != nil { ends.append(reader.offset) }
        for count in ends[0]...bytes.count {
            let cut = Array(bytes.prefix(count))
            let whole = try #require(ends.last { $0 <= count })
            var read = try RecordingReader(cut, isComplete: false)
            while try read.next() != nil {}
            #expect(read.offset == whole)
            if whole == count { continue }
            #expect(throws: RecordingError.self) { _ = try RecordingSummary(cut, isComplete: true) }
        }
        for count in 0..<ends[0] {
            #expect(throws: RecordingError.self) {
                _ = try RecordingReader(Array(bytes.prefix(count)), isComplete: false)
            }
        }
    }

    @Test("Noise and forgeries are refused or can be used, and never trap", arguments: seeds)
    func foreignBytes(seed: UInt64) throws {
        let fuzz = ForeignBytesFuzz(mark: Array("TML".utf8) + [1], isSealed: false) { generator in
            try self.random(&generator).bytes
        } isAccepted: { bytes in
            (try? RecordingSummary(bytes, isComplete: true)) != nil
        }
        #expect(fuzz.noise(seed: seed, rounds: 500) == [])
        let accepted = try fuzz.forgeries(seed: seed, rounds: 1_000, special: [0, 1, 6, 0x7F, 0x80, 0xFF])
        #expect(accepted > 0)
    }

    // The bytes are LEB128 (DWARF 5, 7.6): 2^64 - 1, of which the codec takes the half and one more, and 2^32.
    @Test(
        "A record that claims more samples than an integer counts is refused, and never traps",
        arguments: [[UInt8](repeating: 0xFF, count: 9) + [0x01], [0x80, 0x80, 0x80, 0x80, 0x10]])
    func impossibleCount(number: [UInt8]) throws {
        let body = [0] + number
        let bytes = try Self.header([.accelerometer]).encoded() + [1, UInt8(body.count)] + body
        for isComplete in [true, false] {
            #expect(throws: RecordingError.samples) {
                _ = try RecordingSummary(bytes, isComplete: isComplete)
            }
            #expect(throws: RecordingError.samples) { _ = try RecordingSummary(bytes, isComplete: isComplete) }
        }
        // Where the number is cut off, the record is there, and cannot be read.
        let cut = try Self.header([.accelerometer]).encoded() + [1, 3, 0, 0xFF, 0xFF]
        #expect(throws: RecordingError.seal(.cutOff)) { _ = try RecordingSummary(cut, isComplete: true) }
    }

    @Test("A clock that is farther off than any time is refused")
    func impossibleClock() throws {
        let header = Self.header([.accelerometer])
        // In zigzag this is the least number of 64 bits.
        let record = [4, 12, 0] + [UInt8](repeating: 0xFF, count: 9) + [1, 0]
        #expect(throws: RecordingError.time) {
            _ = try RecordingSummary(try header.encoded() + record, isComplete: true)
        }
    }

    @Test("A recording goes on after a reload, byte for byte")
    func resuming() throws {
        func play(reload: Bool) throws -> [UInt8] {
            var writer = try RecordingWriter(header: Self.header([.accelerometer]))
            var bytes: [UInt8] = []
            for place in 0..<50 {
                writer.add([0, 0, Double(place)], to: 0, at: Self.start + Int64(place) * 10_000)
                if place % 10 == 9 {
                    bytes += writer.takeBytes()
                    if reload { writer = try RecordingWriter(resuming: bytes) }
                }
            }
            writer.add(.end(at: Self.start + 1_000_000))
            return bytes + writer.takeBytes()
        }
        #expect(try play(reload: true) == play(reload: false))
        let over = try play(reload: false)
        #expect(throws: RecordingError.afterEnd) { _ = try RecordingWriter(resuming: over) }
    }

    @Test("It is known how two copies of a recording stand to each other")
    func relations() throws {
        var writer = try RecordingWriter(header: Self.header([.accelerometer]))
        writer.add([0, 0, 1], to: 0, at: Self.start)
        let common = writer.takeBytes()
        var (one, other) = (writer, writer)
        one.add([0, 0, 2], to: 0, at: Self.start + 10_000)
        other.add([0, 0, 3], to: 0, at: Self.start + 10_000)
        let (left, right) = (common + one.takeBytes(), common + other.takeBytes())
        #expect(try RecordingRelation.of(common, to: left) == .contained)
        #expect(try RecordingRelation.of(left, to: left) == .contained)
        #expect(try RecordingRelation.of(left, to: common) == .extends)
        #expect(try RecordingRelation.of(left, to: right) == .diverged(common: common.count))
        var header = Self.header([.accelerometer])
        header.person = Array("ben".utf8)
        var third = try RecordingWriter(header: header)
        #expect(try RecordingRelation.of(third.takeBytes(), to: left) == .unrelated)
    }
}
