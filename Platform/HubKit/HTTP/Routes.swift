import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Storage

/// Where routes are added. Each says who may ask and what it is for, which `/openapi.json` repeats.
public struct Routes {
    let hub: Hub
    let router: Router<HubRequestContext>
    let catalog: RouteCatalog

    /// Adds a route without a body, or with one that is no JSON.
    ///
    /// - Parameters:
    ///   - path: such as `/api/aquarium/{id}`.
    ///   - media: the body's media type, where it is no JSON.
    ///   - isCounted: false for what replaces itself, and what a page sends by itself while somebody plays: it is none of the
    ///     ``PolicyLimits/childChangesAnHour``.
    ///   - handler: its type says what the route answers, and `/openapi.json` with it.
    public func on<Form: ResponseForm>(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ summary: String, media: String? = nil,
        isCounted: Bool = true, _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) {
        let route = RouteDescription(
            method: method, path: path, access: access, summary: summary, body: media.map { .media($0) },
            responses: Form.responses)
        add(route, isCounted: isCounted) { request in try await handler(request).content }
    }

    /// Adds a route that takes JSON; see `on`.
    ///
    /// - Parameter takes: the body's type, of which the handler gets a value.
    public func on<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        isCounted: Bool = true, _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) {
        let route = RouteDescription(
            method: method, path: path, access: access, summary: summary, body: .json(takes),
            responses: Form.responses)
        add(route, isCounted: isCounted) { request in try await handler(request, try await request.body(takes)).content
        }
    }

    private func add(
        _ route: RouteDescription, isCounted: Bool,
        _ handler: @escaping @Sendable (APIRequest) async throws -> AnyAPIResponse
    ) {
        catalog.add(route)
        let (method, path, access) = (route.method, route.path, route.access)
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
                    APIRequest(hub: hub, caller: caller, request: request, context: context, source: source)
                ).httpResponse
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
    public func get<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.get, path, access, summary, handler) }

    /// Adds a route that makes something; see `on`.
    public func post<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.post, path, access, summary, media: media, handler) }

    /// Adds a route that makes something, from JSON; see `on`.
    public func post<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.post, path, access, summary, takes: takes, handler) }

    /// Adds a route that sets something; see `on`.
    public func put<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.put, path, access, summary, media: media, handler) }

    /// Adds a route that sets something, from JSON; see `on`.
    public func put<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.put, path, access, summary, takes: takes, handler) }

    /// Adds a route that changes something; see `on`.
    public func patch<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.patch, path, access, summary, media: media, handler) }

    /// Adds a route that changes something, from JSON; see `on`.
    public func patch<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.patch, path, access, summary, takes: takes, handler) }

    /// Adds a route that removes something; see `on`.
    public func delete<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.delete, path, access, summary, handler) }

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

extension HTTPField.Name {
    // The literal is a valid field name, so that the initialiser answers.
    static let contentSecurityPolicy = HTTPField.Name("Content-Security-Policy")!
}
