import HubKit
import Localization
import RemindersTexts

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let reminders = StringCatalog.hub.merging(StringCatalog(embedded: remindersSentences()))
}
