import Foundation
import HTTPTypes
import HubKit
import HubServer

/// Calls every route that is for everybody of the household from a child's profile, with a brother's or a sister's id, and
/// finds what says more than such a child is to see.
///
/// A route that is not declared is a fault: whoever adds one says here what a sibling gets of it.
public struct SiblingWalk: Sendable {
    /// What a child gets of a route about a sibling.
    public enum View: Sendable {
        /// Refused, with 403 or 404.
        case refused
        /// Nothing in it is anybody's own: plants, devices, songs.
        case household
        /// What it says of the sibling has these fields alone, in any object that has the sibling's id as `id` or `person`.
        case fields(Set<String>)
    }

    /// How a route is called.
    public struct Call: Sendable {
        var path: String
        var body: String?
        var bytes: [UInt8]?
        var view: View

        /// - Parameter path: with the sibling's id, and all other names filled in.
        public static func refused(_ path: String, _ body: String? = nil, bytes: [UInt8]? = nil) -> Call {
            Call(path: path, body: body, bytes: bytes, view: .refused)
        }

        /// - Parameter fields: that are for everybody of the household.
        public static func says(_ fields: Set<String>, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil)
            -> Call
        {
            Call(path: path, body: body, bytes: bytes, view: .fields(fields))
        }

        /// What it is of is the household's, whoever asks.
        public static let household = Call(path: "", view: .household)
    }

    /// Sends a request from the child's profile.
    public typealias Send =
        @Sendable (HTTPRequest.Method, _ path: String, _ body: String?, _ bytes: [UInt8]?) async throws
        -> HTTPTestClient.Answer

    private let sibling: String
    private let prefix: @Sendable (String) -> Bool
    private let send: Send

    /// - Parameters:
    ///   - sibling: whose id is in the calls.
    ///   - prefix: whether a path of `/openapi.json` is among those that are walked.
    public init(about sibling: String, where prefix: @escaping @Sendable (String) -> Bool, send: @escaping Send) {
        self.sibling = sibling
        self.prefix = prefix
        self.send = send
    }

    /// - Parameter calls: each route that is for everybody of the household, such as `GET /api/plants/{id}`, and how it is
    ///   called.
    /// - Returns: what is wrong, a line each.
    public func faults(_ calls: [String: Call]) async throws -> [String] {
        let routes = try await routes()
        var faults = routes.subtracting(calls.keys).sorted().map { "\($0): say what a sibling gets of it" }
        faults += Set(calls.keys).subtracting(routes).sorted().map { "\($0): there is no such route" }
        for (route, call) in calls.sorted(by: { $0.key < $1.key }) where routes.contains(route) {
            guard let method = route.split(separator: " ").first.flatMap({ HTTPRequest.Method(String($0)) }) else {
                continue
            }
            if case .household = call.view { continue }
            let answer = try await send(method, call.path, call.body, call.bytes)
            switch call.view {
            case .household: break
            case .refused:
                if ![403, 404].contains(answer.status) { faults.append("\(route): \(answer.status) \(answer.text)") }
            case .fields(let fields):
                if !(200..<300).contains(answer.status) { faults.append("\(route): \(answer.status) \(answer.text)") }
                let value = try? JSONSerialization.jsonObject(with: Data(answer.text.utf8), options: .fragmentsAllowed)
                for name in said(value).subtracting(fields).sorted() { faults.append("\(route): tells “\(name)”") }
            }
        }
        return faults
    }

    /// Those of `/openapi.json` that want a sign-in, and no adult.
    private func routes() async throws -> Set<String> {
        let answer = try await send(.get, "/openapi.json", nil, nil)
        let paths = answer["paths"] as? [String: [String: [String: Any]]] ?? [:]
        var routes: Set<String> = []
        for (path, operations) in paths where prefix(path) {
            for (method, operation) in operations {
                let isOpen = (operation["security"] as? [Any])?.isEmpty ?? true
                let isForAdults = (operation["description"] as? String)?.contains("adult") ?? false
                if !isOpen, !isForAdults { routes.insert("\(method.uppercased()) \(path)") }
            }
        }
        return routes
    }

    /// The fields of every object about the sibling that hold something.
    private func said(_ value: Any?) -> Set<String> {
        if let all = value as? [Any] { return all.reduce(into: []) { $0.formUnion(said($1)) } }
        guard let object = value as? [String: Any] else { return [] }
        var names: Set<String> = []
        if object["id"] as? String == sibling || object["person"] as? String == sibling {
            names = Set(object.filter { !isEmpty($0.value) }.keys)
        }
        return object.values.reduce(into: names) { $0.formUnion(said($1)) }
    }

    private func isEmpty(_ value: Any) -> Bool {
        (value as? [Any])?.isEmpty ?? (value as? String).map(\.isEmpty) ?? (value is NSNull)
    }
}
