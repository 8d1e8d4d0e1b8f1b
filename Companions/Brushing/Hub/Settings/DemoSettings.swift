import GRDB
import HubKit
import Localization
import Storage

/// The settings of the sample household: reminders for the children, a brush head that has nearly done its time, the
/// dentist next week, and a week in the past in which Theo was ill.
struct DemoSettings: Sendable {
    let brushing: Brushing

    /// The days on which the first child was ill, counted from today.
    private static let illWeek: ClosedRange<Int32> = -60...(-54)
    private static let afternoon: Int32 = 15 * 60 + 30

    /// Stores the settings, days off and appointments.
    ///
    /// - Throws: nothing but what the database does.
    func seed(_ household: HouseholdRecord, _ db: Database) throws {
        let children = try PersonRecord.fetchAll(
            db, sql: "SELECT * FROM person WHERE household = ? AND role = 'child' ORDER BY created_at, id",
            arguments: [household.id])
        for (index, child) in children.enumerated() {
            let subject = Subject(child, of: household, now: brushing.hub.clock.now())
            for reminder in [BrushingReminder.morning, .evening] {
                try brushing.hub.reminders.setDaily(
                    companion: Brushing.slug, name: reminder.rawValue, person: child.id, isOn: true,
                    minute: reminder.kind.minute, db)
            }
            // The first one's is due in a few days, the next one's weeks later.
            try brushing.changeBrushHead(of: subject, db) {
                $0.headReplaced = subject.today - Int32($0.headWeeks) * 7 + 4 + Int32(index) * 31
            }
            guard index == children.count - 1 else { continue }
            var settings = try Settings.of(subject, db)
            settings.use(RoutinePreset.two.routine, preset: .two)
            settings.isChildMode = true
            try settings.save(db)
            let ill = subject.today + Self.illWeek.lowerBound...subject.today + Self.illWeek.upperBound
            try brushing.freeze(ill, .ill, subject, db)
            // Tuesday of next week.
            let tuesday = subject.today + 9 - Int32(CivilDate(day: subject.today).weekday)
            let localized = Localizer(household.preferredLanguage, from: .brushing)
            let dentist = Appointment(
                id: Secret.identifier(length: 12), person: child.id, household: household.id,
                title: localized("Dentist"), day: tuesday, minute: Self.afternoon,
                note: localized("Check-up. Bring the vaccination card."))
            try dentist.insert(db)
            try brushing.remind(of: dentist, subject, db)
        }
    }
}
