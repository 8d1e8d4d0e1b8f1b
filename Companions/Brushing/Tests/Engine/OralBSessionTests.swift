import BrushingEngine
import TestInstruments
import Testing

@Suite("Brushings of what an Oral-B tooth brush advertises")
struct OralBSessionTests {
    static let start: Int64 = 1_795_244_400_000

    private func brush(
        _ seconds: Int, _ state: UInt8 = 3, sector: UInt8 = 1, isHigh: Bool = false
    ) throws -> OralBAdvertisement {
        try OralBAdvertisement(manufacturerData: [
            4, 0x27, 0x0D, state, isHigh ? 0xB2 : 0x32, UInt8(seconds / 60), UInt8(seconds % 60), 1, sector, 0, 4,
        ])
    }

    /// The events of a listener to advertisements at seconds after the start.
    private func events(
        _ session: inout OralBSession, _ heard: [(at: Double, brush: OralBAdvertisement)]
    ) -> [OralBSession.Event] {
        heard.flatMap { session.heard($0.brush, at: Self.start + Int64($0.at * 1_000)) }
    }

    private func ends(_ events: [OralBSession.Event]) -> [OralBSession.End] {
        events.compactMap { if case .ended(_, let reason) = $0 { reason } else { nil } }
    }

    @Test("A whole brushing is heard from its beginning to its end, with the seconds of each sector")
    func whole() throws {
        var session = OralBSession()
        var events: [OralBSession.Event] = []
        for second in 0...120 {
            let sector = UInt8(min(second / 30, 3) + 1)
            events += session.heard(
                try brush(second, sector: sector, isHigh: (40..<50).contains(second)),
                at: Self.start + Int64(second) * 1_000)
        }
        #expect(events.count == 1)
        let begun = try #require(session.brushing)
        #expect(begun.startedAt == Self.start)
        #expect(begun.seconds == 120)
        #expect(begun.sectorSeconds == [30, 30, 30, 30, 0, 0, 0])
        #expect(begun.highPressureSeconds == 10)
        #expect(begun.mode == .dailyClean)
        #expect(begun.sectors == 4)
        #expect(begun.model == .smartSeriesD700)
        events += session.heard(try brush(121, 2, sector: 7), at: Self.start + 121_500)
        #expect(ends(events) == [.stopped])
        #expect(session.brushing == nil)
        #expect(session.last?.seconds == 121)
        #expect(session.last?.sectorSeconds == [30, 30, 30, 31, 0, 0, 0])
    }

    @Test(
        "The charger ends a brushing, and states without a meaning do not",
        arguments: [
            (4, .charging), (2, .stopped), (8, .stopped), (9, .stopped), (10, .stopped), (115, .stopped),
            (116, .stopped),
            (0, nil), (1, nil), (77, nil),
        ] as [(UInt8, OralBSession.End?)])
    func states(state: UInt8, end: OralBSession.End?) throws {
        var session = OralBSession()
        let events = events(&session, [(0, try brush(0)), (1, try brush(1, state))])
        #expect(ends(events) == (end.map { [$0] } ?? []))
    }

    @Test("A brush that is idle begins nothing")
    func idle() throws {
        var session = OralBSession()
        #expect(events(&session, [(0, try brush(6, 2)), (5, try brush(6, 4))]) == [])
        #expect(session == OralBSession())
    }

    @Test("A brush that was not heard for a minute has ended, and no earlier")
    func silent() throws {
        var session = OralBSession()
        _ = events(&session, [(0, try brush(0)), (4, try brush(4))])
        #expect(session.passed(to: Self.start + 63_999) == [])
        #expect(ends(session.passed(to: Self.start + 64_000)) == [.silent])
        #expect(session.passed(to: Self.start + 200_000) == [])
        #expect(session.last?.lastHeardAt == Self.start + 4_000)
    }

    @Test("The same brushing goes on after a pause, and after the brush was out of reach")
    func resumed() throws {
        var session = OralBSession()
        var events = events(
            &session,
            [
                (0, try brush(0)), (1, try brush(1)), (2, try brush(2)), (2.5, try brush(2, 2)), (8, try brush(3)),
                (9, try brush(4)),
            ])
        #expect(events.count == 3)
        #expect(ends(events) == [.stopped])
        #expect(session.brushing?.startedAt == Self.start)
        #expect(session.brushing?.seconds == 4)
        #expect(session.last == nil)
        events = self.events(&session, [(100, try brush(94))])
        #expect(ends(events) == [.silent])
        #expect(session.brushing?.startedAt == Self.start)
        #expect(session.brushing?.seconds == 94)
        // The sector of the time out of reach is not known.
        #expect(session.brushing?.sectorSeconds.reduce(0, +) == 4)
    }

    @Test("A brushing of somebody else after it is another one, by the seconds or by the time")
    func another() throws {
        var session = OralBSession()
        var events = events(
            &session, [(0, try brush(100)), (1, try brush(101)), (2, try brush(101, 2)), (30, try brush(0))])
        #expect(events.count == 3)
        #expect(session.brushing?.startedAt == Self.start + 30_000)
        // Out of reach, and switched off and on meanwhile: 20 seconds cannot have begun before.
        events = self.events(&session, [(31, try brush(1)), (35, try brush(5)), (80, try brush(20))])
        #expect(ends(events) == [.restarted])
        #expect(session.brushing?.startedAt == Self.start + 60_000)
        events = self.events(&session, [(81, try brush(21)), (90, try brush(2))])
        #expect(ends(events) == [.restarted])
        #expect(session.brushing?.seconds == 2)
    }

    @Test("What is heard twice or late counts once")
    func repeats() throws {
        var session = OralBSession()
        let events = events(
            &session,
            [
                (0, try brush(0)), (0.1, try brush(0)), (1, try brush(1)), (0.5, try brush(0)), (1.2, try brush(1)),
                (3, try brush(3)),
                (3.1, try brush(2)), (3.2, try brush(3)), (4, try brush(4)), (5, try brush(5, 2)), (5.2, try brush(4)),
                (5.4, try brush(5)), (5.5, try brush(5, 2)),
            ])
        #expect(events.count == 2)
        #expect(session.last?.seconds == 5)
        #expect(session.last?.sectorSeconds == [5, 0, 0, 0, 0, 0, 0])
        #expect(session.brushing == nil)
    }

    @Test("A listener that comes later knows the seconds, and not the sectors before")
    func joined() throws {
        var session = OralBSession()
        _ = events(&session, [(0, try brush(70, sector: 3)), (1, try brush(71, sector: 3))])
        #expect(session.brushing?.startedAt == Self.start - 70_000)
        #expect(session.brushing?.seconds == 71)
        #expect(session.brushing?.sectorSeconds == [0, 0, 1, 0, 0, 0, 0])
    }

    @Test("A clock that was set back stops nothing")
    func clock() throws {
        var session = OralBSession()
        _ = events(&session, [(0, try brush(0)), (1, try brush(1))])
        let events = events(&session, [(-3_600, try brush(2)), (-3_599, try brush(3)), (-3_598, try brush(3, 2))])
        #expect(ends(events) == [.stopped])
        #expect(session.last?.seconds == 3)
    }

    @Test(
        "Whatever is heard, seconds are bounded and every brushing that began ends at most once",
        arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) throws {
        print("oral-b seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var session = OralBSession()
            var now = Self.start
            var isBrushing = false
            for _ in 0..<60 {
                switch Int.random(in: 0..<30, using: &random) {
                case 0: now = [.min, .max, 0, Self.start].randomElement(using: &random) ?? 0
                case 1: now = now.addingReportingOverflow(.random(in: -100_000...100_000, using: &random)).partialValue
                default: now = now.addingReportingOverflow(.random(in: 0...3_000, using: &random)).partialValue
                }
                var bytes = (0..<11).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes[3] = [2, 3, 3, 3, 4, 115, 0].randomElement(using: &random) ?? 3
                bytes[5] = .random(in: 0...1, using: &random)
                var events = Bool.random(using: &random) ? session.passed(to: now) : []
                events += session.heard(try OralBAdvertisement(manufacturerData: bytes), at: now)
                for event in events {
                    switch event {
                    case .began, .resumed:
                        #expect(!isBrushing)
                        isBrushing = true
                    case .ended(let brushing, _):
                        #expect(isBrushing)
                        isBrushing = false
                        #expect(brushing.sectorSeconds.reduce(0, +) <= brushing.seconds)
                        #expect(brushing.highPressureSeconds <= brushing.seconds)
                    }
                }
                #expect((session.brushing != nil) == isBrushing)
            }
        }
    }
}
