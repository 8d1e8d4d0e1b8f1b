import DrumsEngine
import Foundation
import HubKit

/// A table of sessions as comma-separated values (RFC 4180), a row a beat, the units in the headers.
enum BeatTable {
    private static let headers = [
        "session", "started (UTC)", "day", "song", "level", "mode", "hands", "tempo (steps/min)", "step",
        "position (s)",
        "drum", "side", "verdict", "reaction (ms)", "timing error (ms)", "force (no unit)", "other drums first",
        "waited (ms)", "link", "reaction plausible", "link latency (ms)", "tempo (% of the song's own)",
        "pain before (0-10)", "pain after (0-10)", "effort before (0-10)", "effort after (0-10)", "person",
    ]

    /// Adds the first line.
    static func addHeader(to table: inout TableWriter) { table.line(headers) }

    /// Adds the lines of a session.
    ///
    /// - Parameters:
    ///   - person: the name of whoever played it.
    ///   - reports: what was said before and after it.
    static func addRows(
        of session: DrumSession, _ response: DrumSessionResponse, by person: String,
        reports: SessionSelfReports? = nil, to table: inout TableWriter
    ) {
        let chart = session.setup.chart
        let tempo = OriginalSession(session).tempo
        let latencies = latencies(session, measured: response.latency)
        let begin: [TableCell] = [
            .text(response.id),
            .text(Date(timeIntervalSince1970: Double(response.startedAt) / 1_000).formatted(.iso8601)),
            .text("\(response.day)"), .text(response.song.title), TableCell(response.level),
            .text(response.mode.rawValue),
            .text(response.hands.rawValue), TableCell(tempo),
        ]
        let said = [reports?.painBefore, reports?.painAfter, reports?.effortBefore, reports?.effortAfter].map {
            TableCell($0)
        }
        // Those that it shares with another session stand there.
        for beat in session.result.beats.dropFirst(response.fork?.beats ?? 0) {
            let isPlausible: TableCell = beat.reactionMilliseconds == nil ? .empty : beat.isPlausible ? "yes" : "no"
            let stroke: [TableCell] = [
                .number("\(beat.step + 1)"),
                .number(thousandths(chart.positionMicroseconds(ofStep: beat.step) / 1_000)), .number("\(beat.drum)"),
                .text(beat.side.name), .text(beat.verdict.name.rawValue), TableCell(beat.reactionMilliseconds),
                TableCell(beat.errorMilliseconds),
                beat.forceHundredths.map { .number(hundredths(Int($0))) } ?? .empty,
                .text(beat.wrong.map { "\($0)" }.joined(separator: " ")), TableCell(beat.waitedMilliseconds),
                .text(beat.link.name.rawValue), isPlausible, latencies[beat.link].map { .number($0) } ?? .empty,
                TableCell(session.setup.tempoPercent),
            ]
            table.line(begin + stroke + said + [.text(person)])
        }
    }

    /// The latency of each link of a session. Of a link with a clock of its own it is the median of the time to the
    /// drum and back beyond the reaction. Of another it is the value that tapping along had found last, which is taken
    /// off its reactions.
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
