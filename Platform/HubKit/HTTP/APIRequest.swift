import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import Wire

/// Hummingbird's context of one request, with the address of the client.
public struct HubRequestContext: RequestContext, RemoteAddressRequestContext {
    /// The context that Hummingbird itself needs.
    public var coreContext: CoreRequestContextStorage
    /// The address of the other end of the connection.
    public let remoteAddress: SocketAddress?
    /// The connection of HTTP/1.1, or the stream of HTTP/2.
    let channel: any Channel
    /// The largest body that a route takes by default: 1 MiB.
    public var maxUploadSize: Int { 1 << 20 }

    /// Creates the context for a connection's channel.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
        channel = source.channel
    }
}

/// A request to the API, with its caller.
public struct APIRequest: Sendable {
    /// The hub that received the request.
    public let hub: HubContext
    /// The sender of the request.
    public let caller: Caller
    /// The request as the HTTP server received it.
    package let httpRequest: Request
    let context: HubRequestContext
    /// The client's address, and the hub's address as the client used it.
    public let source: RequestSource
    /// The texts of the hub and all companions, in all languages.
    public let sentences: StringCatalog
    private let content: RequestContent

    /// Creates a request of a caller.
    package init(
        hub: HubContext, caller: Caller, request: Request, context: HubRequestContext, source: RequestSource,
        sentences: StringCatalog
    ) {
        self.hub = hub
        self.caller = caller
        httpRequest = request
        self.context = context
        self.source = source
        self.sentences = sentences
        content = RequestContent(memory: hub.bodyMemory)
    }

    /// The caller's sign-in. In a route for ``Access/member`` or ``Access/adult`` it never throws.
    ///
    /// - Throws: a 401 problem for an anonymous caller.
    public var member: Member {
        get throws {
            guard let member = caller.member else { throw Problem.signInFirst }
            return member
        }
    }

    /// The client's address, by which attempts are counted.
    package var address: String { source.address }

    /// The hub's address for links: the public address from the settings, or else the one that this client used.
    public var origin: String {
        hub.settings.origin ?? "\(source.isSecure ? "https" : "http")://\(source.host ?? "localhost")"
    }

    /// A parameter of the path, such as `id` in `/api/aquarium/{id}`.
    ///
    /// - Throws: a 404 problem if the route's path has no such parameter.
    public func path(_ name: String) throws -> String {
        guard let value = context.parameters.get(name) else {
            throw Problem.notFound("Something is missing in the path: \(name).")
        }
        return value.removingPercentEncoding ?? value
    }

    /// The value of a query parameter that the route declares, without unseen characters; nil if missing.
    public func query(_ parameter: QueryParameter) -> String? {
        httpRequest.uri.queryParameters[Substring(parameter.name)].map { String($0).withoutUnseenCharacters }
    }

    /// The value of a query parameter that is a date, such as 2026-11-21, in days since 1 January 1970; nil if missing.
    ///
    /// - Throws: a 422 problem if it is not a date.
    public func day(_ parameter: QueryParameter) throws -> Int32? {
        try query(parameter).map { text in
            guard let date = CivilDate(text) else {
                throw Problem.field(parameter.name, "A day looks like 2026-11-21.")
            }
            return date.day
        }
    }

    /// The value of a header field; nil if missing.
    public func header(_ name: HTTPField.Name) -> String? { httpRequest.headers[name] }

    /// The bytes of the body.
    ///
    /// - Throws: a 413 problem for a body that is larger than the hub takes: 1 MiB, and less from an anonymous caller.
    public func bytes() async throws -> ByteBuffer {
        guard case .anonymous = caller else {
            return try await content.bytes(of: httpRequest, upTo: context.maxUploadSize)
        }
        // Whoever has not signed in gets little of the hub's memory.
        let limit = hub.settings.connectionLimits.anonymousBodyBytes
        return try await bytes(
            upTo: limit,
            otherwise: Problem(
                .contentTooLarge, "Too much", "Before you sign in, the hub takes at most \(limit) bytes at once."))
    }

    /// The bytes of the body, with a limit of the route's own.
    ///
    /// - Parameters:
    ///   - limitBytes: the largest body that is taken, in bytes.
    ///   - problem: the error for a larger body, with status 413.
    public func bytes(upTo limitBytes: Int, otherwise problem: @autoclosure () -> Problem) async throws -> ByteBuffer {
        do {
            return try await content.bytes(of: httpRequest, upTo: limitBytes)
        } catch is NIOTooManyBytesError {
            throw problem()
        }
    }

    /// The body, decoded from JSON. An empty one counts as `{}`. Its texts come without controls and without characters that
    /// turn their direction, as `UnseenCharacters` has them: this is the place for all routes.
    ///
    /// - Throws: a 400 problem that names the field that is missing or has the wrong type.
    public func body<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        let bytes = Array(buffer: try await bytes())
        guard !UnseenCharacters.isForeign(toJSON: bytes) else {
            throw Problem(.badRequest, "Not understood", "The body is not in UTF-8, as JSON is. Send it in UTF-8.")
        }
        let json = UnseenCharacters.removed(fromJSON: bytes, keepingControls: type is any RefusesControls.Type)
        do {
            return try JSONDecoder().decode(type, from: json.isEmpty ? Data("{}".utf8) : Data(json))
        } catch DecodingError.keyNotFound(let key, _) {
            throw Problem(
                .badRequest, "Something is missing", "The request needs a value for “\(key.stringValue)”.",
                field: key.stringValue)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let name = context.codingPath.last?.stringValue
            throw Problem(
                .badRequest, "Not understood", "“\(name ?? "the body")” has another type than expected.", field: name)
        } catch is DecodingError {
            throw Problem(.badRequest, "Not understood", "The body is no JSON that this route takes.")
        }
    }
}
