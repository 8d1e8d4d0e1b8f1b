import Foundation
import HTTPTypes
import NIOCore

/// The protocol of an original system that a companion replaces, spoken only if the owner switches it on. Its clients
/// do not sign in to the hub: they may use these MQTT topics and HTTP routes and no other.
public struct LegacyProtocol: Sendable {
    /// The MQTT topics; empty if the original used HTTP alone.
    public var topics: [LegacyTopic]
    /// The HTTP routes; empty if the original used MQTT alone.
    public var routes: [LegacyRoute]
    /// The host names of the original's server that its clients have built in; requests to them reach ``routes`` alone.
    public var hosts: [String]
    /// The reason why it is off by default, a sentence for the owner.
    public var risk: String

    /// Declares a protocol.
    ///
    /// - Parameters:
    ///   - topics: the MQTT topics.
    ///   - routes: the HTTP routes.
    ///   - hosts: the host names of the original's server that its clients have built in.
    ///   - risk: the reason why it is off by default, a sentence for the owner.
    public init(topics: [LegacyTopic] = [], routes: [LegacyRoute] = [], hosts: [String] = [], risk: String) {
        self.topics = topics
        self.routes = routes
        self.hosts = hosts
        self.risk = risk
    }
}

/// An MQTT topic of an original system, with its direction.
public struct LegacyTopic: Sendable, Equatable {
    /// The direction of messages.
    public enum Direction: Sendable {
        /// From the system's clients to the companion's ``LegacyMessageHandler``.
        case request
        /// From the hub to the system's clients.
        case response
    }

    /// The full topic without wildcards, such as `rpi/torpi`. It must not be below `tandem/`.
    public var name: String
    /// The direction of its messages.
    public var direction: Direction

    /// A topic that the system's clients publish to.
    public static func request(_ name: String) -> LegacyTopic { LegacyTopic(name: name, direction: .request) }
    /// A topic that the system's clients subscribe to.
    public static func response(_ name: String) -> LegacyTopic { LegacyTopic(name: name, direction: .response) }
}

/// An HTTP route of an original system, outside of `/api/`.
public struct LegacyRoute: Sendable, Hashable {
    /// The HTTP method, such as `POST`.
    public var method: HTTPRequest.Method
    /// The path, such as `/User/History/{userID}`.
    public var path: String
    /// The purpose, which `/openapi.json` repeats.
    public var summary: String

    /// Declares a route.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - path: the path, with its parameters in braces.
    ///   - summary: the purpose, in one sentence.
    public init(_ method: HTTPRequest.Method, _ path: String, _ summary: String) {
        self.method = method
        self.path = path
        self.summary = summary
    }
}

/// The response form of an original system's routes. Text, status and media type are the original's and not part of the
/// hub's API.
public enum LegacyAnswer: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] {
        [ResponseDescription(.ok, "As the original system answers.", media: ["*/*"])]
    }
}

extension APIResponse where Form == LegacyAnswer {
    /// A response with bytes as the original's server sends them.
    public static func legacy(_ bytes: ByteBuffer, type: String, status: HTTPResponse.Status = .ok) -> APIResponse {
        APIResponse(AnyAPIResponse(status: status, body: bytes, type: type))
    }

    /// A response with a value as JSON, for an original that answers so.
    public static func legacy(json value: some Encodable, status: HTTPResponse.Status = .ok) throws -> APIResponse {
        APIResponse(try .json(value, status))
    }
}
