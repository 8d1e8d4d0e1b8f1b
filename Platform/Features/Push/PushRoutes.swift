import Foundation
import HTTPTypes
import HubKit

/// Notifications on the device that asks: which there are belongs to its sign-in, and ends with it.
public struct PushRoutes: Sendable {
    private let push: Push

    /// Creates the routes.
    public init(push: Push) { self.push = push }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get("/api/push", .member, "Whether this device gets notifications, and the key to subscribe with.") {
            request in
            let subscribed = try await push.subscription(of: request.member)
            return try .json(
                PushResponse(
                    key: try await push.publicKey(), subscription: subscribed.map(SubscriptionResponse.init),
                    endpointHost: subscribed.flatMap { URL(string: $0.record.endpoint)?.host }))
        }
        routes.post(
            "/api/push/subscriptions", .member,
            "Subscribes this device: what PushSubscription.toJSON() gives, and whose reminders it shows.",
            takes: SubscriptionBody.self
        ) { request, body in
            let (subscribed, isNew) = try await push.subscribe(
                .init(
                    endpoint: body.endpoint, p256dh: body.keys.p256dh, auth: body.keys.auth, people: body.people,
                    language: request.language),
                request.member)
            return try .stored(SubscriptionResponse(subscribed), isNew: isNew)
        }
        routes.put(
            "/api/push/subscriptions/{id}", .member, "Says anew whose reminders this device shows.",
            takes: PeopleBody.self
        ) { request, body in
            return try .json(
                SubscriptionResponse(
                    try await push.setPeople(
                        body.people, subscription: request.path("id"), request.member)))
        }
        routes.delete("/api/push/subscriptions/{id}", .member, "Ends the notifications of this device.") { request in
            try await push.unsubscribe(request.path("id"), request.member)
            return .nothing
        }
        routes.post(
            "/api/push/subscriptions/{id}/try", .member,
            "Sends this device a notification now. How it went, GET /api/push tells in `lastError`."
        ) { request in
            try await push.tryOut(request.path("id"), request.member)
            return .nothing
        }
    }
}

private struct SubscriptionBody: Decodable {
    struct Keys: Decodable {
        var p256dh: String
        var auth: String
    }

    var endpoint: String
    var keys: Keys
    var people: [String]
}

private struct PeopleBody: Decodable { var people: [String] }

private struct PushResponse: Codable {
    var key: String
    var subscription: SubscriptionResponse?
    var endpointHost: String?
}

private struct SubscriptionResponse: Codable {
    var id: String
    var people: [String]
    var lastError: String?
    var lastAt: Int64?

    init(_ subscribed: Push.Subscribed) {
        id = subscribed.record.id
        people = subscribed.people
        lastError = subscribed.record.lastError
        lastAt = subscribed.record.lastAt
    }
}
