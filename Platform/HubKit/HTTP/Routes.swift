import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Synchronization

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

/// What a handler answers with.
public struct Reply: Sendable {
    var status: HTTPResponse.Status
    var body: ByteBuffer?
    var type: String
    var headers: HTTPFields = [:]
    /// Whom the body names.
    var person: String?
    /// Instead of a body: a file, read as it is sent.
    var stream: FilePart?

    /// A value as JSON, with 200 unless said otherwise.
    public static func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Reply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return Reply(status: status, body: ByteBuffer(bytes: try encoder.encode(value)), type: "application/json")
    }

    /// A value as JSON that has just come to be.
    public static func created(_ value: some Encodable) throws -> Reply { try json(value, .created) }

    /// Done, and nothing to say.
    public static let nothing = Reply(status: .noContent, body: nil, type: "")

    /// Bytes of another type, such as a file to download.
    public static func bytes(_ bytes: ByteBuffer, type: String, headers: HTTPFields = [:]) -> Reply {
        Reply(status: .ok, body: bytes, type: type, headers: headers)
    }

    /// Says whom the body names, so that a kept answer is forgotten with them, see `Visit.once(_:)`.
    ///
    /// - Parameter person: the id of the one person; nil for nobody.
    public func naming(_ person: String?) -> Reply {
        var reply = self
        reply.person = person
        return reply
    }

    func setting(_ name: HTTPField.Name, _ value: String) -> Reply {
        var reply = self
        reply.headers[name] = value
        return reply
    }
}

/// A request, with who asks.
public struct Visit: Sendable {
    /// The hub that is visited.
    public let hub: Hub
    /// Who asks.
    public let caller: Caller
    let request: Request
    let context: HubRequestContext
    /// From where, and under which address of the hub.
    public let source: RequestSource
    private let content: RequestContent

    init(hub: Hub, caller: Caller, request: Request, context: HubRequestContext, source: RequestSource) {
        self.hub = hub
        self.caller = caller
        self.request = request
        self.context = context
        self.source = source
        content = RequestContent(memory: hub.bodyMemory)
    }

    /// Who asks. Routes for members are reached by nobody else.
    public var member: Member {
        get throws {
            guard let member = caller.member else { throw Problem.signInFirst }
            return member
        }
    }

    var address: String { source.address }

    /// The hub's address for links: the one origin where it has one, else the one that this browser used.
    public var origin: String {
        hub.settings.origin ?? "\(source.isSecure ? "https" : "http")://\(source.host ?? "localhost")"
    }

    /// A part of the path, such as `id` in `/api/plants/{id}`.
    public func path(_ name: String) throws -> String {
        guard let value = context.parameters.get(name) else { throw Problem.notFound(name) }
        return value.removingPercentEncoding ?? value
    }

    /// A value of the query.
    public func query(_ name: String) -> String? { request.uri.queryParameters[Substring(name)].map(String.init) }

    /// A header field; nil where there is none.
    public func header(_ name: HTTPField.Name) -> String? { request.headers[name] }

    /// The body as it came.
    ///
    /// - Throws: a 413 problem for one that is larger than any request of the hub's.
    public func bytes() async throws -> ByteBuffer {
        guard case .anonymous = caller else { return try await content.bytes(of: request, upTo: context.maxUploadSize) }
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
            return try await content.bytes(of: request, upTo: limitBytes)
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

/// Where routes are added. Each says who may ask and what it is for, which `/openapi.json` repeats.
public struct Routes {
    /// Answers a request of somebody who may ask.
    public typealias Handler = @Sendable (Visit) async throws -> Reply

    let hub: Hub
    let router: Router<HubRequestContext>
    let catalog: RouteCatalog

    /// - Parameters:
    ///   - path: such as `/api/plants/{id}`.
    ///   - takes: the body's fields with their JSON types, a `?` after those that may be left out.
    ///   - media: the body's media type, where it is no JSON.
    ///   - isCounted: false for what replaces itself, and what a page sends by itself while somebody plays: it is none of the
    ///     ``PolicyLimits/childChangesAnHour``.
    public func on(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ summary: String,
        takes: [String: String] = [:], media: String? = nil, isCounted: Bool = true,
        _ handler: @escaping Handler
    ) {
        catalog.add(
            RouteDescription(
                method: method, path: path, access: access, summary: summary, takes: takes, media: media))
        let hub = hub
        router.on(RouterPath(path), method: method) { request, context -> Response in
            do {
                let source = RequestSource(request, context, hub: hub)
                let caller = try await Self.caller(of: request, method: method, source: source, hub: hub)
                switch hub.policy.decision(caller, access, now: hub.clock.now()) {
                case .allowed: break
                case .signInFirst: throw Problem.signInFirst
                case .adultsOnly: throw Problem.adultsOnly
                case .passwordNeeded: throw Problem.passwordNeeded
                }
                let isChange = method != .get && method != .head && isCounted
                if isChange, case .member = access, let member = caller.member, member.profile.role == .child {
                    try hub.childChanges.take(
                        member, limit: hub.policy.limits.childChangesAnHour, now: hub.clock.now())
                }
                return try await handler(
                    Visit(hub: hub, caller: caller, request: request, context: context, source: source)
                ).response
            } catch let problem as Problem {
                return try problem.response(from: request, context: context)
            } catch let error as DatabaseError {
                hub.log.error(
                    "a request could not be stored", metadata: ["path": "\(path)", "reason": "\(error.resultCode)"])
                let detail =
                    error.resultCode == .SQLITE_FULL
                    ? "The hub’s disk is full. Nothing was changed; free some space, then try again."
                    : "The hub could not read or write its database. Nothing was changed; look at its log."
                return try Problem(.serviceUnavailable, "Not stored", detail).response(from: request, context: context)
            } catch let error where !(error is any HTTPResponseError || error is CancellationError) {
                hub.log.error("a request failed", metadata: ["path": "\(path)", "reason": "\(error)"])
                let detail = "Something in the hub went wrong; its log says what. Try again, and tell us if it stays."
                return try Problem(.internalServerError, "The hub failed", detail).response(
                    from: request, context: context)
            }
        }
    }

    /// Adds a route that reads; see `on`.
    public func get(_ path: String, _ access: Access, _ summary: String, _ handler: @escaping Handler) {
        on(.get, path, access, summary, handler)
    }

    /// Adds a route that makes something; see `on`.
    public func post(
        _ path: String, _ access: Access, _ summary: String, takes: [String: String] = [:], media: String? = nil,
        _ handler: @escaping Handler
    ) { on(.post, path, access, summary, takes: takes, media: media, handler) }

    /// Adds a route that sets something; see `on`.
    public func put(
        _ path: String, _ access: Access, _ summary: String, takes: [String: String] = [:], _ handler: @escaping Handler
    ) { on(.put, path, access, summary, takes: takes, handler) }

    /// Adds a route that changes something; see `on`.
    public func patch(
        _ path: String, _ access: Access, _ summary: String, takes: [String: String] = [:], _ handler: @escaping Handler
    ) { on(.patch, path, access, summary, takes: takes, handler) }

    /// Adds a route that removes something; see `on`.
    public func delete(_ path: String, _ access: Access, _ summary: String, _ handler: @escaping Handler) {
        on(.delete, path, access, summary, handler)
    }

    private static func caller(of request: Request, method: HTTPRequest.Method, source: RequestSource, hub: Hub)
        async throws -> Caller
    {
        if method != .get, method != .head {
            guard source.isOwn(origin: request.headers[.origin]) else {
                throw Problem(.forbidden, "Another page", "This request came from a page that is not the hub’s own.")
            }
        }
        let token = Credentials.token(
            authorization: request.headers[.authorization], cookies: request.headers[values: .cookie],
            isSecure: source.isSecure)
        guard let token, let member = try await hub.accounts.member(token: token) else { return .anonymous }
        return .person(member)
    }
}

extension RequestSource {
    init(_ request: Request, _ context: HubRequestContext, hub: Hub) {
        self.init(
            peer: context.remoteAddress, isSecure: request.head.scheme == "https", host: request.head.authority,
            trustedProxies: hub.settings.trustedProxies, origin: hub.settings.origin
        ) { name in HTTPField.Name(name).map { request.headers[values: $0] } ?? [] }
    }
}

extension Reply {
    var response: Response {
        var headers = headers
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if let stream {
            headers[.contentType] = type
            return Response(status: status, headers: headers, body: stream.body)
        }
        guard let body else { return Response(status: status, headers: headers) }
        headers[.contentType] = type
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}

extension HTTPField.Name {
    // The literal is a valid field name, so that the initialiser answers.
    static let contentSecurityPolicy = HTTPField.Name("Content-Security-Policy")!
}
