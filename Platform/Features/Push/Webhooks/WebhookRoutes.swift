import HubKit
import Localization
import Storage

/// The routes of webhooks, for adults.
struct WebhookRoutes: Sendable {
    let webhooks: Webhooks

    func add(to routes: Routes) {
        routes.get(
            "/api/webhooks", .adult,
            "The webhooks, which events are sent to each and whose, and the events that there are."
        ) { request in
            let household = try request.member.household
            let localized = request.localized
            let events = Set(try await webhooks.events(household: household).values.map(EventChoice.init))
            return try .json(
                WebhooksResponse(
                    webhooks: try await webhooks.all(household: household).map(WebhookResponse.init),
                    events: events.sorted { ($0.companion, $0.event) < ($1.companion, $1.event) }.map {
                        .init(
                            companion: $0.companion, event: $0.event, title: localized.string($0.title),
                            isOfPeople: $0.isOfPeople)
                    }))
        }
        routes.post(
            "/api/webhooks", .adult,
            "Adds a webhook. The key that its messages are signed with is in this answer and never again.",
            takes: WebhookInput.self
        ) { request, input in
            let (webhook, key) = try await webhooks.add(
                name: input.name, address: input.address, houseAddress: input.houseAddress,
                events: try await choices(input.events, request), people: Set(input.people), request.member)
            return try .created(NewWebhookResponse(webhook: WebhookResponse(webhook), key: key))
        }
        routes.put(
            "/api/webhooks/{id}", .adult, "Says anew which events are sent to a webhook, and whose.",
            takes: WebhookChange.self
        ) { request, input in
            try .json(
                WebhookResponse(
                    try await webhooks.change(
                        request.path("id"), events: try await choices(input.events, request),
                        people: Set(input.people), request.member)))
        }
        routes.delete("/api/webhooks/{id}", .adult, "Removes a webhook, with what waits for it.") { request in
            try await webhooks.remove(request.path("id"), request.member)
            return .nothing
        }
        routes.post(
            "/api/webhooks/{id}/try", .adult,
            "Sends an event that says nothing. How it went, GET /api/webhooks tells in `lastError`."
        ) { request in
            try await webhooks.tryOut(request.path("id"), request.member)
            return .nothing
        }
    }

    /// The events of a request, all of which companions declare.
    private func choices(_ events: [WebhookEventInput], _ request: APIRequest) async throws -> Set<Webhooks.Choice> {
        let known = Set(
            try await webhooks.events(household: request.member.household).values.map {
                Webhooks.Choice(companion: $0.companion, event: $0.event)
            })
        let chosen = Set(events.map { Webhooks.Choice(companion: $0.companion, event: $0.event) })
        guard chosen.isSubset(of: known) else {
            throw Problem.field("events", "One of these is not here any more. Load the page again.")
        }
        return chosen
    }
}

/// An event, whoever's it is.
private struct EventChoice: Hashable {
    var companion, event: String
    var title: LocalizedText
    var isOfPeople: Bool

    init(_ event: Webhooks.Event) {
        companion = event.companion
        self.event = event.event
        title = event.title
        isOfPeople = event.person != nil
    }
}

private struct WebhookEventInput: Codable {
    /// The companion's slug.
    var companion: String
    var event: String
}

private struct WebhookInput: Decodable {
    var name, address: String
    /// The address in digits of a host whose name leads into the house.
    var houseAddress: String?
    var events: [WebhookEventInput]
    /// The ids of the people whose events are sent.
    var people: [String]
}

private struct WebhookChange: Decodable {
    var events: [WebhookEventInput]
    var people: [String]
}

private struct WebhooksResponse: Codable {
    struct Event: Codable {
        var companion, event, title: String
        /// Whether it is about a person.
        var isOfPeople: Bool
    }
    var webhooks: [WebhookResponse]
    /// The events that there are.
    var events: [Event]
}

private struct WebhookResponse: Codable {
    var id, name, address: String
    var houseAddress: String?
    var events: [WebhookEventInput]
    var people: [String]
    var createdAt: Int64
    /// The reason why the last event did not arrive, in words; absent if it did.
    var lastError: String?
    var lastAt: Int64?

    init(_ webhook: Webhooks.Webhook) {
        id = webhook.record.id
        name = webhook.record.name ?? ""
        address = webhook.record.address
        houseAddress = webhook.record.houseAddress
        events = webhook.events.map { WebhookEventInput(companion: $0.companion, event: $0.event) }
        people = webhook.people
        createdAt = webhook.record.createdAt
        lastError = webhook.record.lastError
        lastAt = webhook.record.lastAt
    }
}

private struct NewWebhookResponse: Codable {
    var webhook: WebhookResponse
    /// The key that its messages are signed with.
    var key: String
}
