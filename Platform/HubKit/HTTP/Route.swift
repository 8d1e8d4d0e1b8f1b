import HTTPTypes

/// A route with its handler.
package struct Route: Sendable {
    /// The route as the API document describes it.
    package let description: RouteDescription
    /// Whether its requests count towards ``PolicyLimits/childChangesAnHour``.
    package let isCounted: Bool
    /// The function that answers its requests.
    package let handler: @Sendable (APIRequest) async throws -> AnyAPIResponse
}

/// A route as `/openapi.json` describes it.
package struct RouteDescription: Sendable {
    /// The body that the route takes.
    package enum Body: Sendable {
        /// A body of JSON, decoded as a type.
        case json(any (Decodable & SendableMetatype).Type)
        /// A body of a media type, such as `image/jpeg`.
        case media(String)
    }

    /// The HTTP method.
    package var method: HTTPRequest.Method
    /// The path, with its parameters in braces.
    package var path: String
    /// The sign-in that it requires.
    package var access: Access
    /// The slug of the companion whose route it is, which a program may be let in for; nil for one of the hub.
    package var companion: String?
    /// The purpose of the route, in one sentence.
    package var summary: String
    /// The query parameters that it takes.
    package var query: [QueryParameter] = []
    /// The body that it takes; nil for none.
    package var body: Body?
    /// The responses that it gives.
    package var responses: [ResponseDescription]
}
