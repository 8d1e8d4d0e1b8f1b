import DrumsEngine
import GRDB
import HubKit
import Localization
import Storage

/// The plan and settings of the sample household: the first child practises the right side, after a plan that their
/// therapist set.
struct DemoPlan: Sendable {
    /// UTC milliseconds.
    let now: Int64

    func seed(_ household: HouseholdRecord, _ db: Database) throws {
        let child = try PersonRecord.fetchOne(
            db, sql: "SELECT * FROM person WHERE household = ? AND role = 'child' ORDER BY created_at, id",
            arguments: [household.id])
        guard let child else { return }
        let subject = Subject(child, of: household, now: now)
        var settings = PracticeSettings(of: child)
        settings.affectedSide = .right
        settings.level = 2
        settings.drums = DrumSet.all.rawValue
        settings.link = .bluetooth
        try settings.save(db)
        let localized = Localizer(household.preferredLanguage, from: .drums)
        let monday = PracticeWeek.week(around: subject.today - DemoPractice.days).lowerBound
        try PracticePlan(
            person: child.id, fromDay: monday, household: household.id, setBy: localized("Ms Okafor"),
            minutesPerWeek: 45,
            songs: "ode-to-joy", isOnlySongs: false, minutesPerSession: 15, minutesPerDay: 25, belowPercent: 40,
            beats: 10, note: localized("A song with the right hand first, then both.")
        ).insert(db)
    }
}
