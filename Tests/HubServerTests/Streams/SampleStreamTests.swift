import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing
import Wire

@testable import HubKit
@testable import HubServer

@Suite("Streams of samples")
struct SampleStreamTests {
    private static let motion = SampleStream(
        name: "motion", axes: ["x", "y"].map { StreamAxis(name: $0, unit: "m/s²", resolution: 0.01) },
        gapMicroseconds: 50_000, retention: StreamRetention(sampleDays: 30))

    /// A device with that stream.
    private struct Lab: Companion {
        static let slug = "bench"
        static let title = "Bench"
        static let deviceKinds = [DeviceKind(name: "plant-sensor", title: "Sensor", streams: [motion])]
        static let migrations: [Migration] = []
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    private let test: TestHub
    private let device: DeviceRecord

    init() async throws {
        test = try TestHub()
        device = try await test.device()
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database, StreamRecord) throws -> Value
    ) async throws -> Value {
        let device = device
        return try await test.hub.database.pool.write { db in try body(db, try db.stream(Self.motion, of: device)) }
    }

    /// Samples at 100 Hz with some left out, one of which is long enough to be a gap now and then.
    private static func signal(_ random: inout SeededGenerator) throws -> (times: [Int64], axes: [[Int64]]) {
        var time: Int64 = 1_795_220_000_000_000
        let times = (0..<600).map { _ in
            time += [10_000, 10_000, 10_000, 20_000, 60_000].randomElement(using: &random) ?? 10_000
            return time
        }
        let axes = (0..<2).map { _ in times.map { _ in Int64.random(in: -500...500, using: &random) } }
        return (times, axes)
    }

    @Test(
        "However a stream is cut, repeated and shuffled: each sample is stored once, and the summaries and gaps are those of the samples",
        arguments: 1...12)
    func property(turn: UInt64) async throws {
        print("seed \(turn)")
        var random = SeededGenerator(seed: turn)
        let (times, axes) = try Self.signal(&random)
        var blocks: [SampleBlock] = []
        func block(_ range: Range<Int>) throws -> SampleBlock {
            try SampleBlock(times: Array(times[range]), axes: axes.map { Array($0[range]) })
        }
        // All of it in pieces of any size, some of them twice, and others across their edges.
        var start = 0
        while start < times.count {
            let end = min(times.count, start + Int.random(in: 1...90, using: &random))
            blocks.append(try block(start..<end))
            if Bool.random(using: &random) { blocks.append(try block(start..<end)) }
            let wider = max(0, start - 30)..<min(times.count, end + 30)
            if Int.random(in: 0...3, using: &random) == 0 { blocks.append(try block(wider)) }
            start = end
        }
        blocks.shuffle(using: &random)
        let sent = blocks
        let whole = try block(0..<times.count)
        let from = times[0]
        let to = times[times.count - 1] + 1
        let (stored, read, summaries, gaps) = try await write { db, stream in
            var stored = 0
            for block in sent { stored += try db.append(block, to: stream).stored }
            var read: (times: [Int64], axes: [[Int64]]) = ([], [[], []])
            try db.forEachBlock(stream: stream, from: from, to: to) { block in
                read.times += block.times
                for (index, axis) in block.axes.enumerated() { read.axes[index] += axis }
            }
            let summaries = try [100_000, 1_000_000, 2_000_000, 60_000_000, 3_600_000_000].map {
                try db.summaries(stream: stream, from: from, to: to, width: $0)
            }
            return (stored, read, summaries, try db.gaps(stream: stream, from: from, to: to))
        }
        #expect(stored == times.count)
        #expect(read.times == times)
        #expect(read.axes == axes)
        for (width, found) in zip([100_000, 1_000_000, 2_000_000, 60_000_000, 3_600_000_000] as [Int64], summaries) {
            #expect(found == SampleSummary.of(whole, width: width), "width \(width)")
        }
        let pauses = zip(times, times.dropFirst()).filter { $1 - $0 > 50_000 }.map { $0..<$1 }
        #expect(gaps == pauses)
        #expect(!pauses.isEmpty)
    }

    @Test("A range is answered from the blocks that it reaches into, and its summaries from none")
    func range() async throws {
        let counts = try await write { db, stream in
            for minute in 0..<10 {
                let block = try SampleBlock(
                    start: Int64(minute) * 60_000_000, interval: 40_000,
                    axes: [Array(repeating: Int64(minute), count: 1_400), Array(repeating: 0, count: 1_400)])
                _ = try db.append(block, to: stream)
            }
            // Whoever decodes one of these finds out.
            try db.execute(sql: "UPDATE stream_block SET content = x'00' WHERE first < 180000000 OR first > 300000000")
            var count = 0
            try db.forEachBlock(stream: stream, from: 200_000_000, to: 300_000_000) { count += $0.count }
            let summaries = try db.summaries(stream: stream, from: 0, to: 600_000_000, width: 60_000_000)
            #expect(summaries.map { $0.axes[0].high } == Array(0...9))
            #expect(try db.gaps(stream: stream, from: 0, to: 600_000_000).count == 9)
            return count
        }
        #expect(counts == 2_300)
    }

    @Test("What was stored first stands, and a block that fills a gap is stored")
    func firstStands() async throws {
        let outcomes = try await write { db, stream in
            let one = try SampleBlock(times: [0, 10_000, 90_000, 100_000], axes: [[1, 2, 3, 4], [0, 0, 0, 0]])
            let other = try SampleBlock(
                times: [0, 10_000, 50_000, 100_000, 110_000], axes: [[9, 9, 5, 9, 6], [0, 0, 0, 0, 0]])
            let outcomes = [try db.append(one, to: stream), try db.append(other, to: stream)]
            var values: [Int64] = []
            try db.forEachBlock(stream: stream, from: 0, to: 200_000) { values += $0.axes[0] }
            #expect(values == [1, 2, 5, 3, 4, 6])
            return outcomes
        }
        #expect(outcomes == [AppendedSamples(stored: 4), AppendedSamples(stored: 2, known: 3)])
    }

    @Test("A block with another number of axes is refused")
    func axes() async throws {
        await #expect(throws: StreamError.axisCount(expected: 2, found: 1)) {
            try await write { db, stream in
                try db.append(try SampleBlock(times: [1], axes: [[1]]), to: stream)
            }
        }
    }

    @Test("What is older than it is stored goes, its summaries stay, and it is not counted again when it is sent again")
    func retention() async throws {
        let day: Int64 = 86_400_000_000
        let now = test.hub.clock.now() * 1_000
        let old = try SampleBlock(start: now - 40 * day, interval: 10_000, axes: [[1, 2, 3], [4, 5, 6]])
        let new = try SampleBlock(start: now - day, interval: 10_000, axes: [[1, 2, 3], [4, 5, 6]])
        _ = try await write { db, stream in [try db.append(old, to: stream), try db.append(new, to: stream)] }
        try await HubApplication(services: test.services, companions: [Lab.self]).expire()
        let (again, count, summaries) = try await write { db, stream in
            let again = try db.append(old, to: stream)
            var count = 0
            try db.forEachBlock(stream: stream, from: 0, to: now) { count += $0.count }
            return (again, count, try db.summaries(stream: stream, from: 0, to: now, width: 3_600_000_000))
        }
        #expect(again == AppendedSamples(expired: 3))
        #expect(count == 3)
        #expect(summaries.map(\.count) == [3, 3])
    }

    @Test("Summaries go when they are older than they are stored")
    func summaryRetention() async throws {
        let left = try await write { db, stream in
            for hour in 0..<5 {
                _ = try db.append(
                    SampleBlock(times: [Int64(hour) * 3_600_000_000], axes: [[Int64(hour)], [0]]), to: stream)
            }
            try db.expire(stream, samplesBefore: 7_200_000_000, summariesBefore: 7_200_000_000)
            return try db.summaries(stream: stream, from: 0, to: 20_000_000_000, width: 3_600_000_000)
        }
        #expect(left.map { $0.axes[0].low } == [2, 3, 4])
    }

    @Test(
        "A value is stored as a multiple of the axis’s resolution, and one that is none is refused",
        arguments: [(9.81, 981), (-0.004, 0), (.nan, nil), (.infinity, nil), (3e7, nil)] as [(Double, Int64?)])
    func resolution(value: Double, multiple: Int64?) {
        let axis = StreamAxis(name: "x", resolution: 0.01)
        #expect(axis.multiple(of: value) == multiple)
        if let multiple { #expect(abs(axis.value(multiple) - value) <= 0.005) }
    }
}
