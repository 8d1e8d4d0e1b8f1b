import Foundation
import HTTPTypes
import NIOCore

/// An original system's own protocol, spoken only when the owner switches it on by the companion's name. Its clients do
/// not sign in to the hub: over MQTT they use these topics and no other, over HTTP these routes.
public struct LegacyProtocol: Sendable {
    /// Over MQTT; none where the original spoke HTTP alone.
    public var topics: [LegacyTopic]
    /// Over HTTP; none where the original spoke MQTT alone.
    public var routes: [LegacyRoute]
    /// Why it is off by default, in a sentence for the owner.
    public var risk: String

    public init(topics: [LegacyTopic] = [], routes: [LegacyRoute] = [], risk: String) {
        self.topics = topics
        self.routes = routes
        self.risk = risk
    }
}

/// A topic of an original system.
public struct LegacyTopic: Sendable, Equatable {
    /// Who publishes.
    public enum Direction: Sendable {
        /// The system's clients: the companion's ``LegacyReader`` is given the message.
        case request
        /// The hub: the system's clients subscribe.
        case response
    }

    /// In full, without a wildcard: `rpi/torpi`. Not below `tandem/`.
    public var name: String
    /// Who publishes to it.
    public var direction: Direction

    /// What its clients publish to.
    public static func request(_ name: String) -> LegacyTopic { LegacyTopic(name: name, direction: .request) }
    /// What they listen to.
    public static func response(_ name: String) -> LegacyTopic { LegacyTopic(name: name, direction: .response) }
}

/// A route of an original system, outside of `/api/`.
public struct LegacyRoute: Sendable, Hashable {
    /// Such as `POST`.
    public var method: HTTPRequest.Method
    /// Such as `/User/History/{userID}`.
    public var path: String
    /// What it is for, which `/openapi.json` repeats.
    public var summary: String

    public init(_ method: HTTPRequest.Method, _ path: String, _ summary: String) {
        self.method = method
        self.path = path
        self.summary = summary
    }
}

/// The answer of a route that a companion declares of an original system: its own text, status and media type, which
/// are the original's and no part of the hub's contract.
public enum LegacyAnswer: ResponseForm {
    public static var responses: [ResponseDescription] {
        [ResponseDescription(.ok, "As the original system answers.", media: ["*/*"])]
    }
}

extension APIResponse where Form == LegacyAnswer {
    /// Bytes as the original's server sends them.
    public static func legacy(_ bytes: ByteBuffer, type: String, status: HTTPResponse.Status = .ok) -> APIResponse {
        APIResponse(AnyAPIResponse(status: status, body: bytes, type: type))
    }

    /// A value as JSON, for an original that answers with some.
    public static func legacy(json value: some Encodable, status: HTTPResponse.Status = .ok) throws -> APIResponse {
        APIResponse(try .json(value, status))
    }
}
