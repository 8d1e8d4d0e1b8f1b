import Testing

@testable import Diagnosis

@Suite("The clock")
struct ClockCheckTests {
    // `date -ud @1764547200` is 2025-12-01, `date -ud @1795651200` 2026-11-26.
    private let november: Int64 = 1_795_651_200_000

    @Test("A clock before the first release, such as a Raspberry Pi's without a network, is a fault")
    func tooEarly() {
        let finding = ClockCheck(now: 1_764_547_200_000).finding(built: nil, newestReading: nil, written: nil)
        #expect(finding.grade == .fault)
        #expect(finding.sentence == "The clock says it is 2025-12-01.")
    }

    @Test("A clock of the year 2100 and later is a fault")
    func tooLate() {
        // `date -ud 2100-01-01 +%s`
        #expect(
            ClockCheck(now: 4_102_444_800_000).finding(built: nil, newestReading: nil, written: nil).grade == .fault)
    }

    @Test("A clock before the program's own date is a fault, one within a minute of it is not")
    func beforeBuild() {
        let check = ClockCheck(now: november)
        let finding = check.finding(built: november + 86_400_000, newestReading: nil, written: nil)
        #expect(finding.sentence == "The clock says it is 2026-11-26, but this program was built on 2026-11-27.")
        #expect(check.finding(built: november + 60_000, newestReading: nil, written: nil).grade == .well)
        #expect(check.finding(built: november - 86_400_000, newestReading: nil, written: nil).grade == .well)
    }

    @Test("What was stored in the future tells of a clock that was or is wrong")
    func future() {
        let check = ClockCheck(now: november)
        let reading = check.finding(built: nil, newestReading: november + 3 * 60_000, written: nil)
        #expect(reading.grade == .fault)
        #expect(reading.sentence == "The newest reading lies 3 minutes in the future: the clock was or is wrong.")
        let written = check.finding(built: nil, newestReading: nil, written: november + 3 * 86_400_000)
        #expect(written.sentence.hasPrefix("The database was last written 3 days in the future"))
        let before = check.finding(built: nil, newestReading: november - 1, written: november)
        #expect(before.grade == .well)
    }

    @Test("This machine's program was built before now")
    func realProgram() {
        #expect(ClockCheck(now: november * 2).run(newestReading: nil, written: nil).check == "clock")
        #expect(ClockCheck.written(database: "/no/such/file") == nil)
    }
}
