import HomeAssistantTexts
import HubKit
import Localization

extension StringCatalog {
    /// The texts of this module and of the platform, in all languages.
    public static let homeAssistant = StringCatalog.hub.merging(StringCatalog(embedded: homeAssistantSentences()))
}

extension HomeAssistant {
    /// The table of makers' dialects, which is a part of the executable.
    static let dialectTable = String(decoding: [UInt8](homeAssistantDialects()), as: UTF8.self)
}
