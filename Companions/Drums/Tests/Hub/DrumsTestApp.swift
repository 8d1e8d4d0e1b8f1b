import DrumsEngine
import HubInstruments
import Storage

@testable import DrumsHub
@testable import HubKit

/// A hub with the Drums companion, and sessions for it.
typealias DrumsTestApp = CompanionTestApp<Drums>

extension DrumsTestApp {
    var drums: Drums { companion }

    /// The recording that the hub has of the one song that is played; nil where none is.
    func activeContent() async throws -> [UInt8]? {
        try await hub.database.pool.read { db in
            try ActiveSessionRecord.fetchOne(db).map { try SessionChunks.all(of: $0, DrumSessionDefinition.limits, db) }
        }
    }

    /// Sends the hub all that was recorded of a song that goes on, from its beginning, as a page does that does not know what
    /// the hub has.
    ///
    /// - Parameter id: in the path; the session's own where it is left out.
    func append(_ session: DrumSession, as account: String = "ines", id: String? = nil) async throws -> Answer {
        try await send(
            .patch, "/api/drums/active/\(id ?? session.origin.id)",
            bytes: session.encoded(), as: account, headers: ["Upload-Offset": "0"])
    }

    /// Sixteen beats of half a second, each hit, at 120 a minute.
    static var chart: Chart {
        Chart(
            stepsPerBeat: 1, tempo: [TempoChange(step: 0, microsecondsPerBeat: 500_000)],
            steps: Array(repeating: true, count: 16))
    }

    static func setup(
        _ person: String, id: UInt8 = 1, link: LinkKind = .bluetooth, chart: Chart = DrumsTestApp.chart,
        mode: PlayMode = .wait, title: String = "Ode to Joy", utcOffsetMinutes: Int16 = 60
    ) -> SessionSetup {
        var bytes = [UInt8](repeating: 7, count: 16)
        bytes[0] = id
        for (index, byte) in person.utf8.prefix(6).enumerated() { bytes[1 + index] = byte }
        return SessionSetup(
            id: bytes, person: Array(person.utf8), utcOffsetMinutes: utcOffsetMinutes, songID: Array("ode-to-joy".utf8),
            songTitle: Array(title.utf8), chart: chart, level: .two, mode: mode, hands: .both, drums: .all, seed: 42,
            link: link, countInBeats: 0, window: .initial,
            leadMilliseconds: 600, stop: StopRules())
    }

    /// A session as a page records it, a kit answering after 400 ms and a little more each time.
    ///
    /// - Parameters:
    ///   - beats: so many are answered; the song has 16.
    ///   - isFinished: whether the page tells that it is over.
    ///   - more: what happens after the last of them, given the session and the page's clock.
    static func played(
        _ person: String, at: Int64, beats: Int = 16, setup: SessionSetup? = nil, isFinished: Bool = true,
        more: (inout DrumSession, Int64) -> Void = { _, _ in }
    ) throws -> DrumSession {
        var session = try DrumSession(setup: setup ?? self.setup(person))
        var now: Int64 = 1_000_000
        _ = session.handle(.start(wall: at), atMicroseconds: now)
        go(on: &session, beats: beats, from: &now)
        more(&session, now)
        if isFinished {
            now += 200_000
            _ = session.handle(.finish, atMicroseconds: now)
        }
        return session
    }

    /// Answers until so many beats of the song are done.
    static func go(on session: inout DrumSession, beats: Int, from now: inout Int64) {
        for _ in 0..<20_000 {
            let view = session.view
            guard view.beatsDone < beats, session.end == nil else { return }
            guard let step = view.cueStep, let drum = view.cueDrum, !view.isCueShown else {
                now += 10_000
                _ = session.handle(.tick, atMicroseconds: now)
                continue
            }
            _ = session.handle(.cueShown(step: step), atMicroseconds: now)
            let milliseconds = 400 + 7 * step
            let wrong = step % 5 == 3 ? "\((drum.rawValue + 1) % 4) " : ""
            let force = drum == .red ? "3.20" : "-1.00"
            now += Int64(milliseconds) * 1_000 + 18_000
            let text = Array("\(wrong)\(drum.rawValue) \(milliseconds) \(force)".utf8)
            _ = session.handle(.message(text + [0]), atMicroseconds: now)
            _ = session.handle(.message(Array("END".utf8)), atMicroseconds: now)
        }
    }
}
