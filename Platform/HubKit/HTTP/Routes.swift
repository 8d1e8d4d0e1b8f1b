import HTTPTypes

/// The list to which a companion adds its routes. Each route declares the sign-in it requires and its purpose, which
/// `/openapi.json` repeats.
public struct Routes {
    private let mount: (Route) -> Void
    private let companion: String?

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - companion: the slug of the companion whose routes these are; nil for those of the hub.
    ///   - mount: receives each route as it is added.
    package init(companion: String? = nil, mount: @escaping (Route) -> Void) {
        self.companion = companion
        self.mount = mount
    }

    /// The same list, for the routes of one companion.
    package func of(companion: String) -> Routes { Routes(companion: companion, mount: mount) }

    /// Adds a route without a body, or with one that is not JSON.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - path: the path, such as `/api/aquarium/{id}`.
    ///   - access: the sign-in that it requires.
    ///   - summary: its purpose, in one sentence.
    ///   - query: all query parameters that it takes.
    ///   - media: the media type of a body that is not JSON.
    ///   - isCounted: whether its requests count towards ``PolicyLimits/childChangesAnHour``. False for changes that
    ///     replace each other, and for what a page sends by itself during a session.
    ///   - handler: the function that answers requests. Its type declares the form of the response.
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

    /// Adds a route with a body of JSON.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - path: the path, such as `/api/aquarium/{id}`.
    ///   - access: the sign-in that it requires.
    ///   - summary: its purpose, in one sentence.
    ///   - takes: the type of the body.
    ///   - isCounted: whether its requests count towards ``PolicyLimits/childChangesAnHour``.
    ///   - handler: the function that answers requests, given the decoded body.
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
    ) {
        var description = description
        description.companion = companion
        mount(Route(description: description, isCounted: isCounted, handler: handler))
    }

    /// Adds a GET route, which reads; the parameters are those of ``on(_:_:_:_:query:media:isCounted:_:)``.
    public func get<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.get, path, access, summary, query: query, handler) }

    /// Adds a POST route, which creates something; the parameters are those of
    /// ``on(_:_:_:_:query:media:isCounted:_:)``.
    public func post<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [], media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.post, path, access, summary, query: query, media: media, handler) }

    /// Adds a POST route with a body of JSON; the parameters are those of ``on(_:_:_:_:takes:isCounted:_:)``.
    public func post<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.post, path, access, summary, takes: takes, handler) }

    /// Adds a PUT route, which sets something; the parameters are those of ``on(_:_:_:_:query:media:isCounted:_:)``.
    public func put<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [], media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.put, path, access, summary, query: query, media: media, handler) }

    /// Adds a PUT route with a body of JSON; the parameters are those of ``on(_:_:_:_:takes:isCounted:_:)``.
    public func put<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.put, path, access, summary, takes: takes, handler) }

    /// Adds a PATCH route, which changes something; the parameters are those of
    /// ``on(_:_:_:_:query:media:isCounted:_:)``.
    public func patch<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [], media: String? = nil,
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.patch, path, access, summary, query: query, media: media, handler) }

    /// Adds a PATCH route with a body of JSON; the parameters are those of ``on(_:_:_:_:takes:isCounted:_:)``.
    public func patch<Body: Decodable & SendableMetatype, Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, takes: Body.Type,
        _ handler: @escaping @Sendable (APIRequest, Body) async throws -> APIResponse<Form>
    ) { on(.patch, path, access, summary, takes: takes, handler) }

    /// Adds a DELETE route, which removes something; the parameters are those of
    /// ``on(_:_:_:_:query:media:isCounted:_:)``.
    public func delete<Form: ResponseForm>(
        _ path: String, _ access: Access, _ summary: String, query: [QueryParameter] = [],
        _ handler: @escaping @Sendable (APIRequest) async throws -> APIResponse<Form>
    ) { on(.delete, path, access, summary, query: query, handler) }
}
