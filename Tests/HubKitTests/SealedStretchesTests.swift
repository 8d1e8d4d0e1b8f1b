import Foundation
import GRDB
import HubInstruments
import Testing

@testable import Storage

@Suite("Where sealed readings are at all")
struct SealedStretchesTests {
    private static let day = RollupSpan.day.rawValue
    private static let year = 365 * day

    @Test(
        "Stretches that touch are one, those that do not stay apart",
        arguments: [
            ([0..<10, 10..<20], [0..<20]), ([10..<20, 0..<10], [0..<20]), ([0..<10, 20..<30], [0..<10, 20..<30]),
            ([20..<30, 0..<10], [0..<10, 20..<30]), ([0..<10, 20..<30, 5..<25], [0..<30]),
            ([0..<10, 20..<30, 40..<50, 12..<35], [0..<10, 12..<35, 40..<50]), ([0..<50, 10..<20], [0..<50]),
            ([.min..<0, 5..<(.max)], [.min..<0, 5..<(.max)]),
        ] as [([Range<Int64>], [Range<Int64>])])
    func added(blocks: [Range<Int64>], expected: [Range<Int64>]) {
        var stretches = SealedStretches()
        for block in blocks { stretches.add(block) }
        #expect(stretches.ranges == expected)
        for range in expected {
            #expect(stretches.contains(range.lowerBound))
            #expect(!stretches.contains(range.upperBound))
            #expect(stretches.overlap(range.lowerBound...range.lowerBound))
            #expect(!stretches.overlap(range.upperBound...range.upperBound))
        }
    }

    @Test("However they lie they are few, and the years in which there are none stay free")
    func few() {
        var stretches = SealedStretches()
        for number in Int64(0)..<100 { stretches.add(number * 2 * Self.day..<(number * 2 + 1) * Self.day) }
        stretches.add(9 * Self.year..<9 * Self.year + Self.day)
        for number in Int64(0)..<100 { stretches.add(number * 2 * Self.day..<(number * 2 + 1) * Self.day) }
        #expect(stretches.ranges.count <= SealedStretches.most)
        #expect((0..<100).allSatisfy { stretches.contains($0 * 2 * Self.day) })
        #expect(!stretches.contains(Self.year))
        #expect(stretches.contains(9 * Self.year))
    }

    /// A hub with two series of which the first was measured until now and for some days years ahead, all of it sealed.
    private func hubWhoseClockWasAhead() async throws -> TestHub {
        let hub = try TestHub()
        let device = try await hub.device()
        let now = hub.hub.clock.now()
        let times = [now - 20 * Self.day, now + 5 * Self.year].flatMap { first in
            stride(from: first, to: first + 10 * Self.day, by: 600_000)
        }
        try await hub.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            for id: Int64 in 1...2 {
                try writer.add(
                    SeriesRecord(id: id, household: device.household, device: device.id, quantity: "q\(id)", unit: nil))
            }
            try writer.insert(times.map { Reading(series: 1, at: $0, value: 1) })
            try writer.finish()
            var from = Int64.min
            while let piece = try db.sealNext(series: 1, from: from, before: .max) { from = piece.end }
        }
        return hub
    }

    @Test(
        "After the clock was years ahead nobody looks for the present among sealed readings, and repeated ones are known"
    )
    func clockPutRight() async throws {
        let hub = try await hubWhoseClockWasAhead()
        let now = hub.hub.clock.now()
        let (inserted, isLookedFor) = try await hub.hub.database.pool.write { db in
            var writer = ReadingWriter(db)
            let again = [now - 20 * Self.day, now + 5 * Self.year, now + 5 * Self.year + 600_000]
            try writer.insert(again.map { Reading(series: 1, at: $0, value: 2) })
            try writer.insert([1, 2].map { Reading(series: $0, at: now, value: 3) })
            try writer.insert([Reading(series: 2, at: now - 20 * Self.day, value: 4)])
            try writer.finish()
            let sealed = try SealedTimes(db)
            return (
                writer.inserted.map(\.value), [now - 15 * Self.day, now, now + 5 * Self.year].map(sealed.mayContain)
            )
        }
        #expect(inserted == [3, 3, 4])
        #expect(isLookedFor == [true, false, true])
    }

    @Test("When a series was measured last is asked as of a time, of sealed readings as of rows")
    func latestTimes() async throws {
        let hub = try await hubWhoseClockWasAhead()
        let now = hub.hub.clock.now()
        let last = now - 10 * Self.day - 600_000
        let times = try await hub.hub.database.pool.read { db in
            try [.max, now, last, last - 1, now - 20 * Self.day, 0].map { time in
                try db.latestReadingTimes(series: [1, 2], count: 3, atOrBefore: time)
            }
        }
        let ahead = now + 5 * Self.year + 10 * Self.day
        #expect(times[0] == [1: [ahead - 600_000, ahead - 1_200_000, ahead - 1_800_000]])
        #expect(times[1] == [1: [last, last - 600_000, last - 1_200_000]])
        #expect(times[2] == times[1])
        #expect(times[3] == [1: [last - 600_000, last - 1_200_000, last - 1_800_000]])
        #expect(times[4] == [1: [now - 20 * Self.day]])
        #expect(times[5] == [:])
    }
}
