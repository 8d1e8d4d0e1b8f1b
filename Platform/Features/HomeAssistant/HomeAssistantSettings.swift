import Foundation
import HubKit

/// What an adult has decided about Home Assistant, as it is stored.
struct HomeAssistantSettings: Codable, Sendable, Equatable {
    /// Whether anything is announced, where somebody may hear it.
    var isOn = true
    /// The people who appear there; nobody until an adult says so.
    var people: Set<String> = []
    /// Whether each device is announced at once, which Home Assistant reads from 2024.11 on.
    var isByDevice = false
    /// The broker that the hub is a client of; nil for none.
    var broker: BrokerSettings?

    /// Creates the settings that hold before anybody has decided.
    init() {}

    /// Reads what is stored.
    static func stored(_ store: SettingsStore) async throws -> HomeAssistantSettings {
        guard let text = try await store.get(.homeAssistant) else { return HomeAssistantSettings() }
        return try JSONDecoder().decode(HomeAssistantSettings.self, from: Data(text.utf8))
    }

    /// Stores them.
    func store(_ store: SettingsStore) async throws {
        try await store.set(.homeAssistant, String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }
}
