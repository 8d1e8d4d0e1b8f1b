import DrumsEngine
import HubKit

/// A song played from the first beat to the last as a page records it, by a person at a kit that are both not there.
struct SimulatedSong {
    /// A mishap beside the beats: the link is lost.
    struct Mishap: Sendable {
        /// The beat before which the link is lost, from 0.
        var beat: Int
        /// The time until it is back, microseconds; nil where it does not come back and the player gives up.
        var microseconds: Int64?
    }

    private(set) var session: DrumSession
    private var drummer: VirtualDrummer
    private var random: SeededRandom
    private let mishap: Mishap?
    /// The present time, in microseconds of the page's clock.
    private var now: Int64

    /// The time between two looks of the page, microseconds.
    private static let frame: Int64 = 50_000
    /// The most looks at a song, which are more than the longest takes: a song that does not end is a fault, and the
    /// simulation does not hang.
    private static let mostLooks = 400_000

    /// Prepares a song for a simulated player.
    ///
    /// - Parameter start: UTC milliseconds.
    /// - Throws: a `SessionCodecError` for a setup that cannot be played.
    init(_ setup: SessionSetup, start: Int64, drummer: VirtualDrummer, mishap: Mishap?, random: SeededRandom)
        throws(SessionCodecError)
    {
        session = try DrumSession(setup: setup)
        self.drummer = drummer
        self.mishap = mishap
        self.random = random
        now = 5_000_000
        _ = session.handle(.start(wall: start), atMicroseconds: now)
    }

    /// Plays to the end.
    ///
    /// - Returns: the person afterwards, more tired than before.
    mutating func play() -> VirtualDrummer {
        var isLost = false
        for _ in 0..<Self.mostLooks {
            guard session.end == nil else { break }
            let view = session.view
            if let mishap, !isLost, view.beatsDone == mishap.beat {
                isLost = true
                lose(for: mishap.microseconds)
            } else if let step = view.cueStep, let drum = view.cueDrum, isDue(view) {
                pass(Int64(random.between(500, 6_000)))
                _ = session.handle(.cueShown(step: step), atMicroseconds: now)
                if session.setup.mode == .wait { answer(drum) } else { hit(drum, step: step) }
            } else {
                look(view)
            }
        }
        pass(400_000)
        _ = session.handle(.finish, atMicroseconds: now)
        return drummer
    }

    private func isDue(_ view: SessionView) -> Bool { !view.isCueShown && !view.isLinkLost && !view.isPaused }

    private mutating func pass(_ microseconds: Int64) { now += microseconds }

    /// Waits for what comes next, not longer than needed.
    private mutating func look(_ view: SessionView) {
        var next = now + Self.frame
        if let anchor = view.anchorMicroseconds, view.cueStep == nil || view.isCueShown,
            let beat = session.upcoming(1).first
        {
            let lead = session.setup.mode == .flow ? Int64(session.setup.leadMilliseconds) * 1_000 : 0
            next = max(next, anchor + beat.positionMicroseconds - lead)
        }
        now = next
        _ = session.handle(.tick, atMicroseconds: now)
    }

    private mutating func lose(for microseconds: Int64?) {
        _ = session.handle(.linkLost, atMicroseconds: now)
        guard let microseconds else {
            pass(25_000_000)
            _ = session.handle(.stop, atMicroseconds: now)
            return
        }
        pass(microseconds)
        _ = session.handle(.linkBack(session.setup.link, latencyTenths: 0), atMicroseconds: now)
    }

    /// Answers the light as the person does, in wait mode.
    private mutating func answer(_ drum: Drum) {
        let strikes = drummer.sees(drum, at: now / 1_000)
        guard let last = strikes.last else { return }
        let milliseconds = Int32(clamping: max(last.at - now / 1_000, 1))
        tell(strikes.dropLast().map(\.drum), drum, milliseconds, last.thousandths)
    }

    /// Hits as the person does in flow mode, who aims at the beat, and lets one go by now and then.
    private mutating func hit(_ drum: Drum, step: Int) {
        let view = session.view
        guard let anchor = view.anchorMicroseconds, !random.once(every: 18) else { return look(view) }
        let due = anchor + session.setup.chart.positionMicroseconds(ofStep: step)
        let late = Int64(28_000 + random.normal() * 75_000)
        let milliseconds = max((due + late - now) / 1_000, 40)
        let others = Drum.allCases.filter { $0 != drum }
        let wrong = random.once(every: 14) ? [others[Int(random.next() % UInt64(others.count))]] : []
        tell(wrong, drum, Int32(clamping: milliseconds), Int32(3_000 + random.normal() * 600))
    }

    /// The kit tells of a hit, as the original's does: pieces of at most nineteen characters with a NUL, then `END`.
    /// Only its red drum has a sensor.
    private mutating func tell(_ wrong: [Drum], _ drum: Drum, _ milliseconds: Int32, _ thousandths: Int32) {
        let tenths = max(thousandths, 300) / 10
        let force = drum == .red ? "\(tenths).00" : "-1.00"
        let text = (wrong.map { "\($0.rawValue)" } + ["\(drum.rawValue)", "\(milliseconds)", force])
            .joined(separator: " ")
        pass(Int64(milliseconds) * 1_000 + Int64(random.between(9_000, 27_000)))
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            _ = session.handle(.message(Array(rest.prefix(19)) + [0]), atMicroseconds: now)
            rest = rest.dropFirst(19)
            pass(700)
        }
        _ = session.handle(.message(Array("END".utf8) + [0]), atMicroseconds: now)
    }
}
