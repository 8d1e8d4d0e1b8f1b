import HubKit
import Localization
import Storage

/// The table of effort and pain in the report: what was said, song by song. Nothing is computed of it.
struct SelfReportTable: Codable, Sendable {
    /// The reports around one song.
    struct Row: Codable, Sendable {
        var day, song: String
        var reports: SessionSelfReports
    }

    /// The most songs that fit onto the page.
    private static let most = 8

    var title: String
    /// The latest last.
    var rows: [Row]
    var words: String

    /// Makes the table from all reports of the days.
    ///
    /// - Parameters:
    ///   - all: the earliest first.
    ///   - practice: what was played in the same days.
    /// - Returns: nil where nobody was asked.
    init?(_ all: [SelfReport], practice: [ResultRecord], _ subject: Subject, in localized: Localizer) {
        guard !all.isEmpty else { return nil }
        let songs = Dictionary(
            practice.map { ($0.id, localized.songTitle($0.songId, or: $0.songTitle)) }
        ) { first, _ in first }
        var seen = Set<String>()
        let order = all.map(\.session).filter { seen.insert($0).inserted }
        rows = order.suffix(Self.most).compactMap { session in
            let both = all.filter { $0.session == session }
            guard
                let reports = SessionSelfReports(
                    before: both.first { $0.moment == .before }, after: both.first { $0.moment == .after }),
                let at = both.first?.at
            else { return nil }
            return Row(
                day: "\(CivilDate(day: subject.calendar.moment(of: at).day))",
                song: songs[session] ?? localized("nothing played"), reports: reports)
        }
        title = localized("Effort and pain, as said")
        let said = localized(
            "From 0 to 10, before and after a song, as the player said it: effort by Borg’s CR10 scale, pain by the numeric rating scale."
        )
        words =
            order.count > rows.count
            ? "\(said) \(localized("The last \(rows.count) of \(order.count) are shown."))" : said
    }
}
