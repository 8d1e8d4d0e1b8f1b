import Foundation
import HTTPTypes
import Synchronization

/// What `/openapi.json` says of a route.
struct RouteDescription: Sendable {
    var method: HTTPRequest.Method
    var path: String
    var access: Access
    var summary: String
    var takes: [String: String]
    /// The body's media type, where it is no JSON.
    var media: String?
}

/// Every route of the hub, kept as it is added, so that the description cannot lag behind.
public final class RouteCatalog: Sendable {
    private let routes = Mutex<[RouteDescription]>([])

    public init() {}

    func add(_ route: RouteDescription) { routes.withLock { $0.append(route) } }

    /// The OpenAPI 3.1 document of all routes.
    func openAPI(version: String) throws -> Data {
        var paths: [String: [String: Any]] = [:]
        for route in routes.withLock({ $0 }) {
            paths[route.path, default: [:]][route.method.rawValue.lowercased()] = operation(route)
        }
        let problem: [String: Any] = [
            "type": "object", "required": ["title", "status", "detail"],
            "properties": [
                "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                "detail": ["type": "string", "description": "Words that say what to do."],
                "field": ["type": "string", "description": "The input that has to change."],
            ],
        ]
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": [
                "title": "Tandem", "version": version,
                "description":
                    "Times are UTC milliseconds. Errors are RFC 9457 problem details. Live values come over the WebSocket at /api/live.",
            ],
            "paths": paths,
            "components": [
                "schemas": ["Problem": problem],
                "securitySchemes": [
                    "cookie": [
                        "type": "apiKey", "in": "cookie", "name": Credentials.secureCookie,
                        "description": "Over plain HTTP it is called \(Credentials.plainCookie).",
                    ],
                    "bearer": ["type": "http", "scheme": "bearer"],
                ],
            ],
        ]
        return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private func operation(_ route: RouteDescription) -> [String: Any] {
        let problem: [String: Any] = [
            "description": "What went wrong, and what to do.",
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
        ]
        var operation: [String: Any] = [
            "summary": route.summary,
            "responses": ["2XX": ["description": "Done."], "4XX": problem, "5XX": problem],
        ]
        switch route.access {
        case .anyone: operation["security"] = [[String: [String]]]()
        case .member, .adult:
            operation["security"] = [["cookie": [String]()], ["bearer": [String]()]]
            if case .adult = route.access { operation["description"] = "For an adult of the household." }
        }
        let names = route.path.matches(of: /\{([A-Za-z]+)\}/).map { String($0.output.1) }
        if !names.isEmpty {
            operation["parameters"] = names.map {
                ["name": $0, "in": "path", "required": true, "schema": ["type": "string"]] as [String: Any]
            }
        }
        if let media = route.media {
            // As OpenAPI 3.1 describes binary content: Media Type Object, Considerations for File Uploads.
            operation["requestBody"] = ["required": true, "content": [media: [String: Any]()]]
        }
        if !route.takes.isEmpty {
            let required = route.takes.filter { !$0.value.hasSuffix("?") }.keys.sorted()
            var schema: [String: Any] = [
                "type": "object",
                "properties": route.takes.mapValues { type -> [String: Any] in
                    let name = type.hasSuffix("?") ? String(type.dropLast()) : type
                    return name.hasPrefix("[")
                        ? ["type": "array", "items": ["type": String(name.dropFirst().dropLast())]] : ["type": name]
                },
            ]
            if !required.isEmpty { schema["required"] = required }
            operation["requestBody"] = ["required": true, "content": ["application/json": ["schema": schema]]]
        }
        return operation
    }
}
