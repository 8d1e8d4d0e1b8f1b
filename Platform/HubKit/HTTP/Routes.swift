import HTTPTypes

/// Where routes are added. Each says who may ask and what it is for, which `/openapi.json` repeats.
public struct Routes {
    private let mount: (Route) -> Void

    /// - Parameter mount: takes each route as it is added.
    package init(mount: @escaping (Route) -> Void) { self.mount = mount }

    /// Adds a route without a body, or with one that is no JSON.
    ///
    /// - Parameters:
    ///   - path: such as `/api/aquarium/{id}`.
    ///   - query: what it takes in its query, all of it.
    ///   - media: the body's media type, where it is no JSON.
    ///   - isCounted: false for what replaces itself, and what a page sends by itself while somebody plays: it is none of the
    ///     ``PolicyLimits/childChangesAnHour``.
    ///   - handler: its type says what the route answers, and `/openapi.json` with it.
    public func on<Form: ResponseForm>(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ summary: String,
        query: [QueryParameter] = [], media: String? = nil, isCounted: Bool = true,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) {
        let route = RouteDescription(
            method: method, path: path, access: access, summary: summary, query: query,
            body: media.map { .media($0) }, responses: Form.responses)
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
            method: method, path: path, access: access, summary: summary, query: [], body: .json(takes),
            responses: Form.responses)
        add(route, isCounted: isCounted) { request in try await handler(request, try await request.body(takes)).content
        }
    }

    private func add(
        _ description: RouteDescription, isCounted: Bool,
        _ handler: @escaping @Sendable (APIRequest) async throws -> AnyAPIResponse
    ) { mount(Route(description: description, isCounted: isCounted, handler: handler)) }

    /// Adds a route that reads; see `on`.
    public func get<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.get, path, access, summary, query: query, handler) }

    /// Adds a route that makes something; see `on`.
    public func post<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [], media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.post, path, access, summary, query: query, media: media, handler) }

    /// Adds a route that makes something, from JSON; see `on`.
    public func post<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.post, path, access, summary, takes: takes, handler) }

    /// Adds a route that sets something; see `on`.
    public func put<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [], media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.put, path, access, summary, query: query, media: media, handler) }

    /// Adds a route that sets something, from JSON; see `on`.
    public func put<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.put, path, access, summary, takes: takes, handler) }

    /// Adds a route that changes something; see `on`.
    public func patch<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [], media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.patch, path, access, summary, query: query, media: media, handler) }

    /// Adds a route that changes something, from JSON; see `on`.
    public func patch<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.patch, path, access, summary, takes: takes, handler) }

    /// Adds a route that removes something; see `on`.
    public func delete<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.delete, path, access, summary, query: query, handler) }
}
