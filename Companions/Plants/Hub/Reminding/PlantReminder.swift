import HubKit

/// The reminders of this companion, each at its own time.
enum PlantReminder: String, Sendable, CaseIterable {
    case water, silent, battery, comfort, fertilise, repot

    var kind: ReminderKind {
        switch self {
        case .water: ReminderKind(name: rawValue, title: "Plants that want water", minute: 9 * 60, canWait: true)
        case .silent:
            ReminderKind(
                name: rawValue, title: "Plant sensors that are silent", minute: 18 * 60, canWait: true, repeatDays: 3)
        case .battery:
            ReminderKind(
                name: rawValue, title: "Batteries of plant sensors", minute: 18 * 60, canWait: true, repeatDays: 7)
        case .fertilise:
            ReminderKind(
                name: rawValue, title: "Plants that want fertiliser", minute: 10 * 60, canWait: true, repeatDays: 7)
        case .repot:
            ReminderKind(
                name: rawValue, title: "Plants that want a bigger pot", minute: 10 * 60, canWait: true, repeatDays: 14)
        case .comfort:
            ReminderKind(
                name: rawValue, title: "Plants that are too cold or too dark", minute: 18 * 60, canWait: true,
                repeatDays: 7)
        }
    }
}
