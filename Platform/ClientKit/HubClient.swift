import AsyncHTTPClient
import Foundation
import HubKit
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A client of a hub's public HTTP API that signs in as a person, for commands that do what a page does.
///
/// The hub itself does not use it; requests to other hosts go through `Outbound`.
public final class HubClient: Sendable {
    /// A successful response, with a status of 200 to 299.
    public struct Answer: Sendable {
        /// The HTTP status.
        public var status: Int
        /// The body.
        public var content: Data

        /// The body as JSON.
        public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: content)
        }
    }

    private let url: String
    private let token: String

    private static let patience = TimeAmount.seconds(30)
    private static let longestAnswer = 16 << 20
    /// The HTTP client. It follows no redirect, so that a password goes only to the host it was typed for. It lives as
    /// long as the program, as the library's shared one does.
    private static let client = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))

    private static func checked(_ url: String) throws -> String {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme), parts.host != nil else {
            throw HubClientError.noAddress(url)
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    private init(url: String, token: String) {
        self.url = url
        self.token = token
    }

    /// Signs in.
    ///
    /// - Parameter url: the hub's address, such as `http://localhost:8080`.
    /// - Throws: `HubClientError`, in words for the person who typed the command.
    public static func signIn(url: String, email: String, password: String) async throws -> HubClient {
        let url = try checked(url)
        let body = try JSONEncoder().encode(SignIn(email: email, password: password, bearer: true))
        let answer = try await HubClient(url: url, token: "").send(
            .POST, "/api/session", body, type: "application/json")
        return HubClient(url: url, token: try answer.decoded(SignedIn.self).token)
    }

    /// A client that is not signed in, for requests that the hub answers to anyone.
    ///
    /// - Parameter url: the hub's address, such as `http://localhost:8080`.
    /// - Throws: `HubClientError`, in words for the person who typed the command.
    public static func stranger(url: String) throws -> HubClient { HubClient(url: try checked(url), token: "") }

    /// Ends the sign-in.
    public func signOut() async throws { _ = try await send(.DELETE, "/api/session", nil) }

    /// Sends a GET request and decodes the response.
    public func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value {
        try await send(.GET, path, nil).decoded(type)
    }

    /// Sends a POST request with JSON.
    @discardableResult
    public func post(_ path: String, json: some Encodable) async throws -> Answer {
        try await send(.POST, path, try JSONEncoder().encode(json), type: "application/json")
    }

    /// Sends a POST request with bytes.
    ///
    /// - Parameter key: the `Idempotency-Key`.
    @discardableResult
    public func post(_ path: String, bytes: [UInt8], key: String? = nil) async throws -> Answer {
        try await send(.POST, path, Data(bytes), type: "application/octet-stream", key: key)
    }

    private func send(_ method: HTTPMethod, _ path: String, _ body: Data?, type: String? = nil, key: String? = nil)
        async throws -> Answer
    {
        var request = HTTPClientRequest(url: url + path)
        request.method = method
        if !token.isEmpty { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let type { request.headers.add(name: "Content-Type", value: type) }
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        request.headers.add(name: "User-Agent", value: "tandem/\(HubVersion.current)")
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let status: Int
        let content: Data
        do {
            let answer = try await Self.client.execute(request, timeout: Self.patience)
            status = Int(answer.status.code)
            content = Data(buffer: try await answer.body.collect(upTo: Self.longestAnswer))
        } catch is CancellationError {
            throw CancellationError()
        } catch is NIOConnectionError {
            throw HubClientError.unreachable(url, reason: nil)
        } catch let error as IOError where error.errnoCode == ECONNREFUSED {
            throw HubClientError.unreachable(url, reason: nil)
        } catch  where error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError {
            throw HubClientError.untrusted(url)
        } catch is IOError {
            throw HubClientError.unreachable(url, reason: "whoever listens there broke the connection off")
        } catch {
            throw HubClientError.unreachable(url, reason: "\(error)")
        }
        guard !(300..<400).contains(status) else { throw HubClientError.leadsElsewhere(url) }
        guard (200..<300).contains(status) else {
            let problem = try? JSONDecoder().decode(ProblemText.self, from: content)
            throw HubClientError.refused(
                status: status, message: problem?.detail ?? "it answered with status \(status)")
        }
        return Answer(status: status, content: content)
    }
}

/// The reason why a hub did not do what a program requested.
public enum HubClientError: Error, CustomStringConvertible {
    /// The address is not a hub's.
    case noAddress(String)
    /// The hub did not respond, or not in a way that can be trusted; the reason is nil if nothing listens there.
    case unreachable(String, reason: String?)
    /// The hub does not use TLS, or has a certificate that this machine does not trust.
    case untrusted(String)
    /// The response is a redirect, which is not followed.
    case leadsElsewhere(String)
    /// The hub refused the request, with its own message.
    case refused(status: Int, message: String)

    public var description: String {
        switch self {
        case .noAddress(let url): "“\(url)” is no address of a hub. One looks like http://localhost:8080."
        case .unreachable(let url, let reason):
            "Nothing answers at \(url)\(reason.map { " (\($0))" } ?? ""). Is the hub running there?"
        case .untrusted(let url):
            "\(url) speaks no TLS, or has no certificate that this machine trusts. On the hub’s own machine, http://localhost:8080 needs none."
        case .leadsElsewhere(let url):
            "\(url) leads elsewhere, and nothing was sent on. Name the address of the hub itself, with https where it has that."
        case .refused(_, let message): "The hub says: \(message)"
        }
    }
}

private struct SignIn: Encodable {
    var email, password: String
    var bearer: Bool
}

private struct SignedIn: Decodable { var token: String }

private struct ProblemText: Decodable { var detail: String }
