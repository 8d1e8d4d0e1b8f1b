import Foundation
import HTTPTypes
import Localization
import Testing

@testable import Accounts
@testable import Devices
@testable import HubKit
@testable import HubServer

@Suite("Schemas that are made of types")
struct SchemaTests {
    private struct Leaf: Codable {
        enum Colour: String, Codable, CaseIterable { case red, blue }
        var colour: Colour
        var count: Int32
        var share: Double
        var note: String?
    }

    private struct Tree: Codable {
        struct Point: Codable {
            var at: Int64
            var count: Int?

            init(from decoder: any Decoder) throws {
                var row = try decoder.unkeyedContainer()
                at = try row.decode(Int64.self)
                count = try row.decodeIfPresent(Int.self)
            }

            func encode(to encoder: any Encoder) throws {
                var row = encoder.unkeyedContainer()
                try row.encode(at)
                if let count { try row.encode(count) }
            }
        }
        var leaves: [Leaf]
        var first: Leaf?
        var named: [String: Leaf.Colour]
        var points: [Point]
        var holes: [Double?]
        var bytes: Data
    }

    /// As text, with sorted keys.
    private func text(_ schema: JSONSchema?) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: schema ?? [:], options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    @Test(
        "What is decoded is required, what is decoded if present is not, and each type is a component of its own name")
    func object() throws {
        let collector = SchemaCollector()
        let schema = try collector.schema(of: Leaf.self, .response)
        #expect(try text(schema) == ##"{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Leaf"}"##)
        #expect(
            try text(collector.components["HubServerTests.SchemaTests.Leaf"])
                == ##"{"properties":{"colour":{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Leaf.Colour"},"count":{"type":"integer"},"note":{"type":"string"},"share":{"type":"number"}},"required":["colour","count","share"],"type":"object"}"##
        )
        #expect(
            try text(collector.components["HubServerTests.SchemaTests.Leaf.Colour"])
                == #"{"enum":["red","blue"],"type":"string"}"#)
    }

    @Test("Lists, maps, bytes, values that are absent and rows with a meaning at each place")
    func containers() throws {
        let collector = SchemaCollector()
        _ = try collector.schema(of: Tree.self, .response)
        let tree = try text(collector.components["HubServerTests.SchemaTests.Tree"])
        #expect(
            tree.contains(
                ##""leaves":{"items":{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Leaf"},"type":"array"}"##)
        )
        #expect(tree.contains(##""first":{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Leaf"}"##))
        #expect(
            tree.contains(
                ##""named":{"additionalProperties":{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Leaf.Colour"},"type":"object"}"##
            ))
        #expect(tree.contains(#""holes":{"items":{"anyOf":[{"type":"number"},{"type":"null"}]},"type":"array"}"#))
        #expect(tree.contains(#""bytes":{"contentEncoding":"base64","type":"string"}"#))
        #expect(tree.contains(#""required":["bytes","holes","leaves","named","points"]"#))
        #expect(
            try text(collector.components["HubServerTests.SchemaTests.Tree.Point"])
                == #"{"maxItems":2,"minItems":1,"prefixItems":[{"type":"integer"},{"type":"integer"}],"type":"array"}"#)
    }

    @Test("A request may say null for what may be absent; an answer leaves it out")
    func request() throws {
        let collector = SchemaCollector()
        _ = try collector.schema(of: Leaf.self, .request)
        #expect(
            try text(collector.components["HubServerTests.SchemaTests.Leaf"]).contains(
                #""note":{"anyOf":[{"type":"string"},{"type":"null"}]}"#))
        #expect(throws: SchemaError.self, "and a type cannot be both") {
            try collector.schema(of: Leaf.self, .response)
        }
    }

    @Test("What stands beside another type's fields is one object with them")
    func flattened() throws {
        struct Beside: Codable {
            var leaf: Leaf
            var more: Bool

            private enum CodingKeys: CodingKey { case more }

            init(from decoder: any Decoder) throws {
                leaf = try Leaf(from: decoder)
                more = try decoder.container(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .more)
            }

            func encode(to encoder: any Encoder) throws {
                try leaf.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(more, forKey: .more)
            }
        }
        let collector = SchemaCollector()
        let schema = try collector.schema(of: Beside.self, .response)
        let name = try #require((schema["$ref"] as? String)?.split(separator: "/").last)
        #expect(try text(collector.components[String(name)]).contains(#""required":["colour","count","more","share"]"#))
    }

    @Test("Of one of two types it is either")
    func either() throws {
        let collector = SchemaCollector()
        let schema = try collector.schema(of: OneOf<Leaf, Tree>.self, .response)
        #expect(
            try text(schema)
                == ##"{"anyOf":[{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Leaf"},{"$ref":"#/components/schemas/HubServerTests.SchemaTests.Tree"}]}"##
        )
    }

    private enum First {
        struct Same: Codable { var one: Int }
    }

    @Test("An enumeration whose cases nobody can list, and a type that holds itself, are mistakes")
    func mistakes() {
        enum Unlisted: String, Codable { case one }
        struct Holder: Codable { var unlisted: Unlisted }
        final class Circle: Codable { var next: Circle? }
        #expect(throws: SchemaError.self) { try SchemaCollector().schema(of: Holder.self, .response) }
        #expect(throws: SchemaError.self) { try SchemaCollector().schema(of: Circle.self, .response) }
    }

    @Test("A component is called as its type is, below its companion's name")
    func names() {
        #expect(
            SchemaCollector.name(of: CurrentSignInResponse.Household.self)
                == "Accounts.CurrentSignInResponse.Household")
        #expect(SchemaCollector.name(of: Tree.Point.self) == "HubServerTests.SchemaTests.Tree.Point")
    }

    @Test("What is read may be what the asker has; what is changed may not")
    func unchanged() throws {
        let catalog = RouteCatalog()
        let routes = Routes { catalog.add($0.description) }
        routes.get("/api/x", .member, "X") { _ in try .json(1) }
        routes.post("/api/x", .member, "X") { _ in try .json(1) }
        let document = try JSONSerialization.jsonObject(with: catalog.openAPI(version: "1")) as? [String: Any]
        let operations = try #require((document?["paths"] as? [String: [String: [String: Any]]])?["/api/x"])
        #expect((operations["get"]?["responses"] as? [String: Any])?["304"] != nil)
        #expect((operations["post"]?["responses"] as? [String: Any])?["304"] == nil)
    }

    @Test("What a route takes in its query stands in the document, with all that it may be")
    func query() throws {
        let catalog = RouteCatalog()
        let routes = Routes { catalog.add($0.description) }
        let unit = QueryParameter("unit", "Of what.", values: ["day", "week"], isRequired: true)
        routes.get("/api/x/{id}", .member, "X", query: [unit, QueryParameter("until", "A day.")]) { _ in .nothing }
        let text = String(decoding: try catalog.openAPI(version: "1"), as: UTF8.self)
        #expect(
            text.contains(
                #"{"description":"Of what.","in":"query","name":"unit","required":true,"schema":{"enum":["day","week"],"type":"string"}}"#
            ))
        #expect(
            text.contains(
                #"{"description":"A day.","in":"query","name":"until","required":false,"schema":{"type":"string"}}"#))
        #expect(text.contains(#"{"in":"path","name":"id","required":true,"schema":{"type":"string"}}"#))
    }

    @Test("The description of a route that takes bytes says which")
    func described() throws {
        let catalog = RouteCatalog()
        catalog.add(
            RouteDescription(
                method: .post, path: "/api/x", access: .member, summary: "X",
                body: .media("application/octet-stream"), responses: NoContent.responses))
        let text = String(decoding: try catalog.openAPI(version: "1"), as: UTF8.self)
        #expect(text.contains("\"requestBody\":{\"content\":{\"application/octet-stream\":{}},\"required\":true}"))
    }
}

@Suite("The document of all routes")
struct DocumentTests {
    private struct Body: Codable {
        var name: String
        var age: Int?
    }
    private struct Answer: Codable { var id: String }

    private func document(_ add: (RouteCatalog) -> Void) throws -> [String: Any] {
        let catalog = RouteCatalog()
        add(catalog)
        return try #require(
            try JSONSerialization.jsonObject(with: catalog.openAPI(version: "1")) as? [String: Any])
    }

    private func operation(_ document: [String: Any]) throws -> [String: Any] {
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        return try #require(paths["/api/x"]?["post"])
    }

    @Test(
        "The form of the handler's answer decides about the statuses",
        arguments: [
            (JSON<Int>.responses, ["200"]), (Created<Int>.responses, ["201"]), (Stored<Int>.responses, ["200", "201"]),
            (Accepted<Int>.responses, ["202"]), (NoContent.responses, ["204"]),
            (File<EngineBytes>.responses, ["200", "304"]), (RangedFile<EngineBytes>.responses, ["200", "206"]),
        ])
    func statuses(responses: [ResponseDescription], expected: [String]) throws {
        let document = try document {
            $0.add(
                RouteDescription(
                    method: .post, path: "/api/x", access: .member, summary: "X", responses: responses))
        }
        let said = try #require(try operation(document)["responses"] as? [String: Any])
        #expect(Set(said.keys) == Set(expected + ["4XX", "5XX"]))
    }

    @Test("The bodies are the types' own schemas")
    func bodies() throws {
        let document = try document {
            $0.add(
                RouteDescription(
                    method: .post, path: "/api/x", access: .member, summary: "X", body: .json(Body.self),
                    responses: Created<Answer>.responses))
        }
        let text = "\(try operation(document))"
        #expect(text.contains("#/components/schemas/HubServerTests.DocumentTests.Body"))
        #expect(text.contains("#/components/schemas/HubServerTests.DocumentTests.Answer"))
        let components = try #require(document["components"] as? [String: [String: [String: Any]]])
        #expect(components["schemas"]?["HubServerTests.DocumentTests.Body"]?["required"] as? [String] == ["name"])
    }

    @Test(
        "Every event is a message of the document",
        arguments: [
            LiveEvent.reading(device: "a", quantity: "moisture", at: 1, value: 2), .device("a"),
            .changed(companion: "plants", what: "plants", id: "a"), .reminder(id: "a", person: "b"), .reset,
            .hello(now: 1),
        ])
    func live(event: LiveEvent) throws {
        #expect(LiveEvent.types.contains { $0 == type(of: event.message) })
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(event.text(id: "boot-1").utf8)) as? [String: Any])
        #expect(object["id"] as? String == "boot-1")
    }

    @Test(
        "All news of a device is a message of the document",
        arguments: [
            DeviceNews.link(device: "a", isConnected: true), .taken(device: "a"), .lost(device: "a", count: 2),
            .refused(device: nil, reason: LocalizedText("No.")),
        ])
    func news(news: DeviceNews) {
        let message = news.message(in: .english)
        #expect(DeviceMessage.types.contains { $0 == type(of: message) })
    }

    @Test("What a device said is written by hand as its type says it")
    func said() throws {
        let text = DeviceNews.message(device: "a", .init(string: "2 450"), now: 7)
        let message = try JSONDecoder().decode(DeviceMessage.Message.self, from: Data(buffer: text))
        #expect(message.device == "a" && message.at == 7 && message.data == "2 450")
    }
}
