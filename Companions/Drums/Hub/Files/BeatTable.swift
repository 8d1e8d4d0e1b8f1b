import DrumsEngine
import Foundation
import HubKit

/// Sessions as comma-separated values (RFC 4180), a row a beat, the units in the headers.
enum BeatTable {
    private static let headers = [
        "session", "started (UTC)", "day", "song", "level", "mode", "hands", "tempo (steps/min)", "step",
        "position (s)",
        "drum", "side", "verdict", "reaction (ms)", "timing error (ms)", "force (no unit)", "other drums first",
        "waited (ms)", "link", "reaction plausible", "link latency (ms)", "tempo (% of the song's own)",
        "pain before (0-10)", "pain after (0-10)", "effort before (0-10)", "effort after (0-10)",
    ]

    /// The first line.
    static var header: String { line(headers) }

    /// The lines of a session.
    ///
    /// - Parameter reports: what was said before and after it.
    static func rows(
        of session: DrumSession, _ response: DrumSessionResponse, reports: SessionSelfReports? = nil
    ) -> String {
        let chart = session.setup.chart
        let tempo = OriginalSession(session).tempo
        let latencies = latencies(session, measured: response.latency)
        let begin = [
            response.id, Date(timeIntervalSince1970: Double(response.startedAt) / 1_000).formatted(.iso8601),
            response.day, response.song.title, "\(response.level)", response.mode.rawValue, response.hands.rawValue,
            "\(tempo)",
        ]
        let said = [reports?.painBefore, reports?.painAfter, reports?.effortBefore, reports?.effortAfter].map {
            $0.map { "\($0)" } ?? ""
        }
        // Those that it shares with another session stand there.
        return session.result.beats.dropFirst(response.fork?.beats ?? 0).map { beat in
            line(
                begin + [
                    "\(beat.step + 1)", thousandths(chart.positionMicroseconds(ofStep: beat.step) / 1_000),
                    "\(beat.drum)", beat.side.name, beat.verdict.name.rawValue,
                    beat.reactionMilliseconds.map { "\($0)" } ?? "", beat.errorMilliseconds.map { "\($0)" } ?? "",
                    beat.forceHundredths.map { hundredths(Int($0)) } ?? "",
                    beat.wrong.map { "\($0)" }.joined(separator: " "), "\(beat.waitedMilliseconds)",
                    beat.link.name.rawValue, beat.reactionMilliseconds == nil ? "" : beat.isPlausible ? "yes" : "no",
                    latencies[beat.link] ?? "", "\(session.setup.tempoPercent)",
                ] + said)
        }.joined()
    }

    private static func line(_ fields: [String]) -> String { fields.map(CSV.field).joined(separator: ",") + "\r\n" }

    /// What was measured of each link of a session: with a clock of its own, the median of what it took to the drum and
    /// back beyond the reaction; of another, what tapping along had found last, which is taken off its reactions.
    private static func latencies(_ session: DrumSession, measured: Quartiles?) -> [LinkKind: String] {
        var tenths = [session.setup.link: session.setup.latencyTenths]
        for event in session.events {
            if case .linkBack(let link, let latencyTenths) = event.input { tenths[link] = latencyTenths }
        }
        var latencies = tenths.filter { $0.value > 0 }.mapValues { "\(Double($0) / 10)" }
        for link in LinkKind.allCases where link.hasOwnClock { latencies[link] = measured.map { "\($0.median)" } }
        return latencies
    }

    private static func thousandths(_ number: Int64) -> String {
        "\(number / 1_000)." + String(String(number % 1_000 + 1_000).dropFirst())
    }

    private static func hundredths(_ number: Int) -> String {
        "\(number / 100)." + String(String(number % 100 + 100).dropFirst())
    }
}
