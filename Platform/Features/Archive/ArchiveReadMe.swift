import Foundation
import HubKit
import Localization
import Storage

/// The README of an archive.
struct ArchiveReadMe {
    var parts: [ArchivePart]
    var household: HouseholdRecord
    /// The time of the export, in UTC milliseconds.
    var madeAt: Int64
    /// The readings that are missing.
    var damaged: [ArchiveManifest.Damage] = []

    /// The text in Markdown, readable as plain text too.
    func text(_ localized: Localizer) -> String {
        let day =
            "\(CivilDate(day: LocalCalendar(timeZone: TimeZone(identifier: household.timeZone) ?? .gmt).moment(of: madeAt).day))"
        let reasons = parts.flatMap(\.leftOut).map { localized.string($0.reason) }
        return """
            # \(localized("All that \(household.name) has in Tandem, as of \(day)"))

            \(localized("This archive is a ZIP file of open formats. You can read it without Tandem, and an empty hub can become this household again by it."))

            ## \(localized("Putting it into an empty hub"))

                tandem import everything ARCHIVE --data FOLDER

            \(localized("Passwords and the tokens of devices are not in it. Give each adult a new password with `tandem user reset EMAIL`, and each device a new token with `tandem device token ID`."))

            ## \(localized("What is where"))

            - \(localized("data: every table, a file each (JSON Lines: one row a line). With readings and archive.json this is what an import reads; the other files say the same for people and other programs. Bytes are written as base64, or are a file of their own that is named there."))
            \(parts.flatMap(\.words).map { "- \(localized.string($0))" }.joined(separator: "\n"))

            ## \(localized("What is not in it"))

            - \(localized("Passwords, and the tokens by which devices and phones sign in."))
            \(reasons.map { "- \($0)" }.joined(separator: "\n"))
            \(missing(localized))
            """
    }

    /// A section about damaged readings; empty if there are none.
    private func missing(_ localized: Localizer) -> String {
        guard !damaged.isEmpty else { return "" }
        let lines = damaged.map { damage in
            let (series, from, to) = ("\(damage.series)", Self.moment(damage.from), Self.moment(damage.to))
            return "- "
                + localized("\(damage.device), \(damage.quantity) (series \(series)): from \(from) to \(to)")
        }
        return """

            ## \(localized("What is damaged"))

            \(localized("These readings are damaged on the hub’s disk, and are missing here. A backup from before has them."))

            \(lines.joined(separator: "\n"))

            """
    }

    /// A time such as `2026-11-24T03:00:00Z`.
    private static func moment(_ time: Int64) -> String { Date(milliseconds: time).formatted(.iso8601) }
}
