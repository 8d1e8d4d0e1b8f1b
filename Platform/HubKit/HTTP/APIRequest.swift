import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore

/// The context of one request.
public struct HubRequestContext: RequestContext, RemoteAddressRequestContext {
    public var coreContext: CoreRequestContextStorage
    public let remoteAddress: SocketAddress?
    /// No request of the hub's is larger.
    public var maxUploadSize: Int { 1 << 20 }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}

/// A request to the API, with who sends it.
public struct APIRequest: Sendable {
    /// The hub that answers.
    public let hub: Hub
    /// Who asks.
    public let caller: Caller
    package let httpRequest: Request
    let context: HubRequestContext
    /// From where, and under which address of the hub.
    public let source: RequestSource
    /// What the hub and all companions say, in all languages that there are.
    public let sentences: StringCatalog
    private let content: RequestContent

    package init(
        hub: Hub, caller: Caller, request: Request, context: HubRequestContext, source: RequestSource,
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

    /// Who asks. Routes for members are reached by nobody else.
    public var member: Member {
        get throws {
            guard let member = caller.member else { throw Problem.signInFirst }
            return member
        }
    }

    package var address: String { source.address }

    /// The hub's address for links: the one origin where it has one, else the one that this browser used.
    public var origin: String {
        hub.settings.origin ?? "\(source.isSecure ? "https" : "http")://\(source.host ?? "localhost")"
    }

    /// A part of the path, such as `id` in `/api/aquarium/{id}`.
    public func path(_ name: String) throws -> String {
        guard let value = context.parameters.get(name) else {
            throw Problem.notFound("Something is missing in the path: \(name).")
        }
        return value.removingPercentEncoding ?? value
    }

    /// A value of the query, of those that the route declares.
    public func query(_ parameter: QueryParameter) -> String? {
        httpRequest.uri.queryParameters[Substring(parameter.name)].map(String.init)
    }

    /// A day of the query, such as 2026-11-21, in days since 1 January 1970; nil where there is none.
    ///
    /// - Throws: a 422 problem for what is no day.
    public func day(_ parameter: QueryParameter) throws -> Int32? {
        try query(parameter).map { text in
            guard let date = CivilDate(text) else {
                throw Problem.field(parameter.name, "A day looks like 2026-11-21.")
            }
            return date.day
        }
    }

    /// A header field; nil where there is none.
    public func header(_ name: HTTPField.Name) -> String? { httpRequest.headers[name] }

    /// The body as it came.
    ///
    /// - Throws: a 413 problem for one that is larger than any request of the hub's.
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

    /// The body as it came, of a route that takes less than others, or more.
    ///
    /// - Parameter problem: says, with status 413, that there may be no more bytes.
    public func bytes(upTo limitBytes: Int, otherwise problem: @autoclosure () -> Problem) async throws -> ByteBuffer {
        do {
            return try await content.bytes(of: httpRequest, upTo: limitBytes)
        } catch is NIOTooManyBytesError {
            throw problem()
        }
    }

    /// The body, decoded from JSON; a 400 problem names what is missing.
    public func body<Value: Decodable>(_ type: Value.Type = Value.self) async throws -> Value {
        let bytes = try await bytes()
        do {
            return try JSONDecoder().decode(
                type, from: bytes.readableBytes == 0 ? Data("{}".utf8) : Data(buffer: bytes))
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
