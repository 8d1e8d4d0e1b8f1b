import HTTPTypes

/// A route with what answers it.
package struct Route: Sendable {
    package let description: RouteDescription
    /// Whether it is one of the changes of which a child's profile has only so many.
    package let isCounted: Bool
    package let handler: @Sendable (APIRequest) async throws -> AnyAPIResponse
}

/// What `/openapi.json` says of a route.
package struct RouteDescription: Sendable {
    /// What it takes.
    package enum Body: Sendable {
        case json(any (Decodable & SendableMetatype).Type)
        /// Of this media type.
        case media(String)
    }

    package var method: HTTPRequest.Method
    package var path: String
    package var access: Access
    package var summary: String
    package var query: [QueryParameter] = []
    package var body: Body?
    package var responses: [ResponseDescription]
}
