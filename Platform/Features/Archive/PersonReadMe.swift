import Foundation
import HubKit
import Localization
import Storage

/// The README of an archive of one person.
struct PersonReadMe {
    /// The parts of the companions.
    var parts: [ArchivePart]
    var person: PersonRecord
    var household: HouseholdRecord
    /// The time of the export, in UTC milliseconds.
    var madeAt: Int64

    /// The text in Markdown, readable as plain text too.
    func text(_ localized: Localizer) -> String {
        let day = "\(CivilDate(day: LocalCalendar(timeZone: person.zone(household)).moment(of: madeAt).day))"
        return """
            # \(localized("All that Tandem keeps of \(person.name), as of \(day)"))

            \(localized("This archive is a ZIP file of open formats. It has what names \(person.name), and of the household nothing else. A hub cannot be made of it."))

            ## \(localized("What is where"))

            - \(localized("data: each row that names \(person.name), a file for each table (JSON Lines: one row a line). The other files say the same for people and other programs. Bytes are written as base64, or are a file of their own that is named there."))
            - \(localized("household: who \(person.name) is, and their reminders, as tables (CSV). Times are milliseconds since 1970 in UTC, days are counted from 1 January 1970, and minutes from midnight."))
            - \(localized("fhir.json: what was done and planned, for programs that keep health records (HL7 FHIR R4: a Bundle of Patient, Observation and CarePlan). It is a log of practice and no assessment: values are what was counted or measured, and nothing is concluded from them."))
            \(parts.flatMap(\.words).map { "- \(localized.string($0))" }.joined(separator: "\n"))

            ## \(localized("What is not in it"))

            - \(localized("Passwords, and the tokens by which devices and phones sign in."))
            - \(localized("What is the household’s and nobody’s own: its devices, and what they have measured."))

            """
    }
}
