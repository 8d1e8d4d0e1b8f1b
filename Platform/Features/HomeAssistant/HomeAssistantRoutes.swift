import Foundation
import HubKit
import Localization
import Storage

/// Home Assistant and the broker of the house, for adults: who may hear the hub, what is announced, and how it stands with the
/// broker.
struct HomeAssistantRoutes: Sendable {
    let home: HomeAssistant
    private var broker: BrokerClient { home.broker }

    func add(to routes: Routes) {
        FoundDeviceRoutes(home: home).add(to: routes)
        DeviceLineRoutes(home: home).add(to: routes)
        routes.get(
            "/api/home-assistant", .adult,
            "What is announced to Home Assistant, who may hear it, and how it stands with the broker of the house."
        ) { request in
            try .json(try await response(request))
        }
        routes.put(
            "/api/home-assistant", .adult, "Decides what is announced; what is left out stays.",
            takes: SettingsInput.self
        ) { request, input in
            let household = try request.member.household
            let known = Set(try await request.hub.people(household: household).map(\.id))
            if let people = input.people, let stranger = people.first(where: { !known.contains($0) }) {
                throw Problem.field("people", detail: LocalizedText("There is nobody with the id \(stranger) here."))
            }
            try await home.change { settings in
                settings.isOn = input.isOn ?? settings.isOn
                settings.people = input.people.map { Set($0) } ?? settings.people
                settings.isByDevice = input.isByDevice ?? settings.isByDevice
            }
            return try .json(try await response(request))
        }
        routes.post(
            "/api/home-assistant/access", .adult,
            "Lets a Home Assistant in: the name and password for its MQTT integration. They are in this answer and never again."
        ) { request in
            let (record, token) = try await home.devices.addIntegration(
                name: "Home Assistant", filters: HomeAssistant.granted, household: request.member.household)
            home.changed(all: true)
            return try .created(
                AccessResponse(id: record.id, user: record.id, password: token, port: request.hub.settings.mqttPort))
        }
        routes.delete("/api/home-assistant/access/{id}", .adult, "Lets a program in no longer.") { request in
            let (id, household) = (try request.path("id"), try request.member.household)
            guard try await home.devices.integrations(household: household).contains(where: { $0.id == id }) else {
                throw Problem.notFound("There is no such program here. It may have been removed.")
            }
            _ = try await home.devices.removeIntegration(id)
            home.changed(all: true)
            return .nothing
        }
        routes.put(
            "/api/home-assistant/broker", .adult, "Makes the hub a client of the broker of the house.",
            takes: BrokerInput.self
        ) { request, input in
            try checkChosenHere(request)
            let settings = try input.settings(before: try await home.settings().broker)
            try await home.change { $0.broker = settings }
            return try .json(try await response(request))
        }
        routes.delete("/api/home-assistant/broker", .adult, "Leaves the broker of the house.") { request in
            try checkChosenHere(request)
            try await home.change { $0.broker = nil }
            return try .json(try await response(request))
        }
    }

    /// Refuses to change a broker that the hub was started with.
    private func checkChosenHere(_ request: APIRequest) throws {
        guard request.hub.settings.broker == nil else {
            throw Problem(
                .conflict, "Chosen elsewhere",
                "The hub was started with --broker. Start it without, and choose the broker here.", field: "url")
        }
    }

    private func response(_ request: APIRequest) async throws -> HomeAssistantResponse {
        let household = try request.member.household
        let settings = try await home.settings()
        let people = try await request.hub.people(household: household)
        let programs = try await home.devices.integrations(household: household)
        let isHeard = try await home.isHeard(settings, isConnected: broker.isConnected)
        let localized = Localizer(request.language, from: .homeAssistant)
        return HomeAssistantResponse(
            isOn: settings.isOn, isHeard: isHeard, isByDevice: settings.isByDevice,
            people: people.map { .init(id: $0.id, name: $0.name, isAnnounced: settings.people.contains($0.id)) },
            programs: programs.map { .init(id: $0.id, name: $0.name, createdAt: $0.createdAt) },
            broker: try home.broker(of: settings).map { .init($0, broker.status, in: localized) },
            found: home.found.counts.kept)
    }
}

private struct SettingsInput: Decodable {
    var isOn: Bool?
    var people: [String]?
    var isByDevice: Bool?
}

private struct AccessResponse: Codable {
    var id, user, password: String
    var port: Int
}

/// Home Assistant's part of the hub, as a page shows it.
struct HomeAssistantResponse: Codable {
    struct Person: Codable {
        var id, name: String
        var isAnnounced: Bool
    }
    struct Program: Codable {
        var id, name: String
        var createdAt: Int64
    }
    struct Broker: Codable {
        enum State: String, Codable, CaseIterable { case connecting, connected, failed }
        /// The address, without name and password.
        var url: String
        var user: String?
        var hasPassword: Bool
        var isVersion5: Bool
        var filters: [String]
        var state: State
        /// How it stands, in words.
        var words: String
        /// Since when it stands so, UTC milliseconds.
        var since: Int64?

        init(_ settings: BrokerSettings, _ status: BrokerClient.Status, in localized: Localizer) {
            url = settings.url
            user = settings.user
            hasPassword = settings.password != nil
            (isVersion5, filters) = (settings.isVersion5, settings.filters)
            switch status {
            case .off, .connecting:
                state = .connecting
                words = localized("Connecting …")
            case .connected(let at):
                (state, since) = (.connected, at)
                words = localized("Connected")
            case .failed(let fault, let at):
                (state, since) = (.failed, at)
                words = localized.string(fault.words)
            }
        }
    }

    /// Whether anything is announced, and whether anybody hears it.
    var isOn, isHeard: Bool
    /// Whether each device is announced at once.
    var isByDevice: Bool
    var people: [Person]
    /// The programs that were let in.
    var programs: [Program]
    var broker: Broker?
    /// The number of announcements of others that the hub knows.
    var found: Int
}

extension BrokerFault {
    /// The words for whoever set the broker up: what is wrong, and what to do.
    var words: LocalizedText {
        switch self {
        case .unreachable:
            LocalizedText("Nothing answers there. Check the address and the port, and that the broker runs.")
        case .refused(let reason) where reason == .badUserNameOrPassword || reason == .notAuthorized:
            LocalizedText("The broker does not let Tandem in. Check the name and the password.")
        case .refused(let reason): LocalizedText("The broker refuses Tandem: \("\(reason)").")
        case .untrusted:
            LocalizedText(
                "The broker’s certificate is not trusted. Give its authority’s certificate, or its fingerprint.")
        case .ended: LocalizedText("The broker ended the connection. Tandem tries again.")
        case .itself: LocalizedText("This address is Tandem itself. Give the one of the other broker.")
        }
    }
}

/// A broker in a request.
private struct BrokerInput: Decodable {
    /// The address, such as `mqtts://homeassistant.local:8883`.
    var url: String
    var user, password: String?
    /// The certificate of the authority to trust, PEM.
    var authority: String?
    /// The SHA-256 of the broker's certificate.
    var fingerprint: String?
    /// Whether to speak MQTT 5.0, which most brokers do.
    var isVersion5: Bool?
    /// The topic filters that the hub may subscribe to.
    var filters: [String]?

    func settings(before: BrokerSettings?) throws -> BrokerSettings {
        var settings = try BrokerSettings(url: url)
        if let user, !user.isEmpty { settings.user = user }
        settings.authority = authority.flatMap { $0.isEmpty ? nil : $0 }
        settings.fingerprint = fingerprint.flatMap { $0.isEmpty ? nil : $0 }
        if settings.authority != nil || settings.fingerprint != nil { settings.isTLS = true }
        // A page that changes something else does not know these.
        if let before, before.url == settings.url, settings.authority == nil, settings.fingerprint == nil {
            (settings.authority, settings.fingerprint) = (before.authority, before.fingerprint)
        }
        settings.password =
            password.flatMap { $0.isEmpty ? nil : $0 } ?? settings.password
            ?? (before?.url == settings.url ? before?.password : nil)
        settings.isVersion5 = isVersion5 ?? true
        settings.filters = try (filters ?? BrokerSettings.allFilters).map { text in
            let text = text.trimmingCharacters(in: .whitespaces)
            guard BrokerSettings.isFilter(text) else {
                throw Problem.field("filters", detail: LocalizedText("“\(text)” is no MQTT topic filter."))
            }
            return text
        }
        guard (try? settings.trust()) != nil || !settings.isTLS else {
            throw Problem.field(
                settings.fingerprint == nil ? "authority" : "fingerprint",
                "This is no certificate (PEM), or no fingerprint of 64 hexadecimal digits.")
        }
        return settings
    }
}
