import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing
import Wire

@testable import HubKit
@testable import HubServer

/// Samples that are removed or changed: what is left, and all that is computed of it, is compared with a list.
@Suite("Samples that are removed and changed")
struct StreamRemovalTests {
    private static let motion = SampleStream(
        name: "motion", axes: [StreamAxis(name: "x", unit: "m/s²", resolution: 0.01)], gapMicroseconds: 50_000,
        retention: StreamRetention(sampleDays: 30))
    private static let start: Int64 = 1_795_219_990_000_000

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

    /// Stores blocks of twenty samples each half a second, and returns them by time.
    private func fill(_ blocks: Int) async throws -> [Int64: Int64] {
        try await write { db, stream in
            var samples: [Int64: Int64] = [:]
            for number in 0..<blocks {
                let first = Self.start + Int64(number) * 500_000
                let times = (0..<20).map { first + $0 * 20_000 }
                let values = times.map { $0 / 1_000 % 997 - 400 }
                _ = try db.append(try SampleBlock(times: times, axes: [values]), to: stream)
                for (time, value) in zip(times, values) { samples[time] = value }
            }
            return samples
        }
    }

    /// Expects that what is stored is `samples`, in charts of each width too.
    private func expect(_ samples: [Int64: Int64]) async throws {
        let end = Self.start + 3_600_000_000
        let (read, summaries) = try await write { db, stream in
            var read: [Int64: Int64] = [:]
            try db.forEachBlock(stream: stream, from: 0, to: .max) { block in
                for (time, value) in zip(block.times, block.axes[0]) { read[time] = value }
            }
            let summaries = try Database.summaryWidths.map {
                try db.summaries(stream: stream, from: Self.start, to: end, width: $0)
            }
            return (read, summaries)
        }
        #expect(read == samples)
        for (width, found) in zip(Database.summaryWidths, summaries) {
            let groups = Dictionary(grouping: samples) { $0.key / width }
            #expect(found.map(\.start) == groups.keys.sorted().map { $0 * width }, "width \(width)")
            for summary in found {
                let values = (groups[summary.start / width] ?? []).map(\.value)
                #expect(summary.count == values.count, "width \(width)")
                #expect(summary.axes[0].low == values.min() && summary.axes[0].high == values.max(), "width \(width)")
            }
        }
    }

    @Test(
        "In steps of any size what lies in a stretch goes and what lies around it stays, also where the edges cut blocks",
        arguments: [1, 2, 7, 200])
    func steps(limit: Int) async throws {
        var samples = try await fill(150)
        for range in [
            // Within one block; over many; to the end, from between two samples; where nothing is.
            Self.start + 40_000...Self.start + 60_000, Self.start + 3_100_000...Self.start + 31_234_567,
            Self.start + 60_110_001...Self.start + 999_000_000, Self.start - 5_000_000...Self.start - 1,
        ] {
            var count = 0
            while try await write({ db, stream in try db.remove(range, from: stream, limit: limit) }) { count += 1 }
            #expect(count <= 150 / limit)
            for time in samples.keys where range.contains(time) { samples[time] = nil }
            try await expect(samples)
        }
        #expect(samples.count > 1_000)
        // The same samples may come again.
        try await expect(try await fill(150))
    }

    @Test("One step removes no more blocks than it may, the oldest first")
    func bounded() async throws {
        _ = try await fill(30)
        let left = try await write { db, stream in
            #expect(try db.remove(0...Int64.max, from: stream, limit: 10))
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM stream_block")
        }
        #expect(left == 20)
        let oldest = try await write { db, stream in try Int64.fetchOne(db, sql: "SELECT min(first) FROM stream_block")
        }
        #expect(oldest == Self.start + 10 * 500_000)
        while try await write({ db, stream in try db.remove(Int64.min...Int64.max, from: stream, limit: 10) }) {}
        try await expect([:])
    }

    @Test("Values are changed where they lie and nowhere else, and an error leaves all as it was")
    func changed() async throws {
        var samples = try await fill(30)
        let range = Self.start + 110_000...Self.start + 9_030_000
        try await write { db, stream in
            try db.change(range, of: stream) { try SampleBlock(times: $0.times, axes: [$0.axes[0].map { -2 * $0 }]) }
        }
        for time in samples.keys where range.contains(time) { samples[time] = samples[time].map { -2 * $0 } }
        try await expect(samples)
        await #expect(throws: SampleBlockError.value) {
            try await write { db, stream in
                try db.change(range, of: stream) {
                    try SampleBlock(times: $0.times, axes: [$0.axes[0].map { $0 << 40 }])
                }
            }
        }
        try await expect(samples)
    }
}
