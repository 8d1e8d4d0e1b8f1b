import Foundation
import TestInstruments
import Testing
import Wire

@Suite("Moments of ISO 8601")
struct ISO8601TimeTests {
    private func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        return iso8601Milliseconds(bytes.span)
    }

    // The seconds by `date -u -d TEXT +%s` of GNU coreutils 9.1.
    @Test(
        "A moment with its offset is UTC milliseconds",
        arguments: [
            ("2026-11-25T20:00:00Z", 1_795_636_800_000), ("2026-11-25T20:00:00+01:00", 1_795_633_200_000),
            ("2026-11-25 20:00:00-0330", 1_795_649_400_000), ("2026-11-25t20:00z", 1_795_636_800_000),
            ("2026-11-25T20:00:00.25Z", 1_795_636_800_250), ("2026-11-25T20:00:00,1239Z", 1_795_636_800_123),
            ("2000-02-29T00:00:00+00", 951_782_400_000), ("1969-12-31T23:59:59Z", -1_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2026-11-25 20:00:00 +0000", 1_795_636_800_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ] as [(String, Int64)])
    func read(text: String, expected: Int64) { #expect(milliseconds(text) == expected) }

    @Test(
        "What is no moment, or nobody’s, is none",
        arguments: [
            "", "2026-11-25", "2026-11-25T20:00:00", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-11-25T24:00:00Z", "2026-11-25T20:60:00Z", "2026-11-25T20:00:61Z", "2026-11-25T20:00:00.Z",
            "2026-11-25T20:00:00+1", "2026-11-25T20:00:00+01:6", "2026-11-25T20:00:00Z ", "20261125T200000Z",
            "2026-11-25T20:00:00 ", "2026-11-25T20:00:00  +00",
        ])
    func refused(text: String) { #expect(milliseconds(text) == nil) }

    @Test("Every moment that Foundation writes is read as Foundation means it")
    func property() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("moment seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            // From 1600 on: Foundation writes what is before 15 October 1582 by the Julian calendar.
            let at = Int64.random(in: -11_676_096_000_000..<253_402_300_800_000, using: &random)
            let text = Date(timeIntervalSince1970: Double(at / 1_000)).formatted(Date.ISO8601FormatStyle())
            #expect(milliseconds(text) == at / 1_000 * 1_000, "\(text)")
        }
    }
}
