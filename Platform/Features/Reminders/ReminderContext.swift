import HubKit
import Localization
import Push

/// The hub with its companions, as reminders see it.
public struct ReminderContext: Sendable {
    /// The services that companions use.
    let hub: HubContext
    /// The companions, in the order of the registry.
    let companions: [any Companion]
    /// The texts of the hub and all companions.
    let sentences: StringCatalog
    /// The messages to phones without an open page.
    let push: Push

    /// Creates the context.
    ///
    /// - Parameters:
    ///   - hub: the services that companions use.
    ///   - companions: the companions, which say what a reminder says.
    ///   - sentences: the texts of the hub and all companions.
    ///   - push: the messages to phones without an open page.
    public init(hub: HubContext, companions: [any Companion], sentences: StringCatalog, push: Push) {
        self.hub = hub
        self.companions = companions
        self.sentences = sentences
        self.push = push
    }

    /// Adds the routes of reminders and of their calendars.
    public func addRoutes(to routes: Routes) {
        ReminderRoutes(context: self).add(to: routes)
        DueReminderRoutes().add(to: routes)
        CalendarFeedRoutes(context: self).add(to: routes)
    }

    /// The companion with a slug.
    func companion(_ slug: String) -> (any Companion)? { companions.first { type(of: $0).slug == slug } }

    /// A companion's kind of daily reminder, by its name.
    func reminderKind(_ companion: String, _ name: String) -> ReminderKind? {
        self.companion(companion).flatMap { type(of: $0).reminderKinds.first { $0.name == name } }
    }
}
