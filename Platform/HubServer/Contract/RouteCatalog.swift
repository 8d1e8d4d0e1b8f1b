import Accounts
import Devices
import Foundation
import HTTPTypes
import HubKit
import Synchronization

/// The list of all routes, filled as they are added, so that the description is always complete.
public final class RouteCatalog: Sendable {
    private let routes = Mutex<[RouteDescription]>([])

    /// Creates an empty list.
    public init() {}

    func add(_ route: RouteDescription) { routes.withLock { $0.append(route) } }

    /// The OpenAPI 3.1 document of all routes, with schemas made of the types of requests and responses.
    ///
    /// - Parameters:
    ///   - version: the version of the hub.
    ///   - companions: the slugs of the companions.
    /// - Throws: `SchemaError` for a type without a schema.
    func openAPI(version: String, companions: [String] = []) throws -> Data {
        let collector = SchemaCollector()
        let problem = try collector.schema(of: Problem.Details.self, .response)
        var paths: [String: JSONSchema] = [:]
        for route in routes.withLock({ $0 }) {
            paths[route.path, default: [:]][route.method.rawValue.lowercased()] = try operation(
                route, collector, problem)
        }
        let socket = try Self.socket(collector)
        let document: JSONSchema = [
            "openapi": "3.1.0",
            "info": [
                "title": "Tandem", "version": version,
                "description":
                    "Times are UTC milliseconds. Errors are RFC 9457 problem details. Live values come over the WebSocket at /api/live, whose messages are told at x-websocket.",
            ],
            "paths": paths,
            "x-companions": companions,
            "x-websocket": socket,
            "components": [
                "schemas": collector.components,
                "securitySchemes": [
                    "cookie": [
                        "type": "apiKey", "in": "cookie", "name": Credentials.secureCookie,
                        "description": "Over plain HTTP it is called \(Credentials.plainCookie).",
                    ],
                    "bearer": ["type": "http", "scheme": "bearer"],
                ],
            ] as JSONSchema,
        ]
        return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    /// The schemas of the WebSocket's messages, for which OpenAPI has no place.
    private static func socket(_ collector: SchemaCollector) throws -> JSONSchema {
        func anyOf(_ types: [any Decodable.Type], _ direction: SchemaCollector.Direction) throws -> JSONSchema {
            ["anyOf": try types.map { try collector.schema(of: $0, direction) }]
        }
        return [
            "/api/live": [
                "description":
                    "A text frame a message. The query's `resume` is the id of the last message seen; each of a device channel has none. `language` is that of its words.",
                "hub": try anyOf(LiveEvent.types + DeviceMessage.types, .response),
                "page": try anyOf([PageFrame.self], .request),
            ] as JSONSchema
        ]
    }

    private static func parameter(_ parameter: QueryParameter) -> JSONSchema {
        var schema: JSONSchema = ["type": "string"]
        if !parameter.values.isEmpty { schema["enum"] = parameter.values }
        return [
            "name": parameter.name, "in": "query", "description": parameter.summary, "required": parameter.isRequired,
            "schema": schema,
        ]
    }

    private func operation(_ route: RouteDescription, _ collector: SchemaCollector, _ problem: JSONSchema) throws
        -> JSONSchema
    {
        let failure: JSONSchema = [
            "description": "What went wrong, and what to do.",
            "content": ["application/problem+json": ["schema": problem]],
        ]
        var responses: JSONSchema = ["4XX": failure, "5XX": failure]
        for response in route.responses {
            var answer: JSONSchema = ["description": response.summary]
            if let type = response.type {
                answer["content"] = ["application/json": ["schema": try collector.schema(of: type, .response)]]
                // As `AnyAPIResponse.read(by:)` does for every route.
                if route.method == .get {
                    responses["304"] = ["description": "It is what the asker has."] as JSONSchema
                }
            } else if !response.media.isEmpty {
                // As OpenAPI 3.1 describes binary content: Media Type Object, Considerations for File Uploads.
                answer["content"] = Dictionary(response.media.map { ($0, JSONSchema()) }) { first, _ in first }
            }
            responses[String(response.status.code)] = answer
        }
        var operation: JSONSchema = ["summary": route.summary, "responses": responses]
        switch route.access {
        case .anyone: operation["security"] = [[String: [String]]]()
        case .member, .adult, .monitor:
            operation["security"] = [["cookie": [String]()], ["bearer": [String]()]]
            if case .adult = route.access { operation["description"] = "For an adult of the household." }
            if case .monitor = route.access {
                operation["description"] =
                    "For an adult of the household, and without a sign-in for programs on the hub’s own machine."
            }
        }
        let names = route.path.matches(of: /\{([A-Za-z]+)\}/).map { String($0.output.1) }
        let parameters =
            names.map { ["name": $0, "in": "path", "required": true, "schema": ["type": "string"]] as JSONSchema }
            + route.query.map(Self.parameter)
        if !parameters.isEmpty { operation["parameters"] = parameters }
        switch route.body {
        case .none: break
        case .json(let type):
            let schema = try collector.schema(of: type, .request)
            operation["requestBody"] =
                ["required": true, "content": ["application/json": ["schema": schema]]] as JSONSchema
        case .media(let media):
            operation["requestBody"] = ["required": true, "content": [media: JSONSchema()]] as JSONSchema
        }
        return operation
    }
}
