import Foundation
import HTTPTypes
import HubKit
import HubServer
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Storage
import Synchronization

/// An HTTP client of the hub's routes, without a socket between them.
public final class HTTPTestClient: Sendable {
    /// Held as long as anybody sends requests.
    public let test: TestHub
    private let responder: RouterResponder<HubRequestContext>
    private let channel: any Channel
    private let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// A client of everything that an app answers.
    public init(_ test: TestHub, app: HubApplication) async throws {
        self.test = test
        responder = HubHTTPServer(app: app, web: nil).router().buildResponder()
        // A request context wants a channel; this one has no other end.
        channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    /// What the hub answered.
    public struct Answer: Sendable {
        public var status: Int
        public var headers: HTTPFields
        public var bytes: [UInt8]

        /// The bytes as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }

        /// A value of the answer's object, by its path; a number is the place in an array.
        public subscript(path: String...) -> Any? {
            var value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            for key in path {
                if let array = value as? [Any], let index = Int(key) {
                    value = array.indices.contains(index) ? array[index] : nil
                } else {
                    value = (value as? [String: Any])?[key]
                }
            }
            return value
        }

        /// The words of a problem.
        public var detail: String { self["detail"] as? String ?? "" }
    }

    /// - Parameters:
    ///   - bytes: the body, where it is no text.
    ///   - token: of a sign-in; nil for nobody's.
    ///   - headers: whose names are valid, as those of a test are.
    ///   - isSecure: whether the page came over the network's port.
    ///   - address: where it comes from, one of loopback's; nil for nowhere.
    ///   - afterHead: what happens between the head of the answer and its body.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, bytes: [UInt8]? = nil,
        token: String? = nil, headers: [String: String] = [:], isSecure: Bool = false,
        from address: String? = nil, afterHead: () async throws -> Void = {}
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
        let head = HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http",
            authority: isSecure ? "linden.local:8443" : "localhost:8080", path: path, headerFields: fields)
        let content = bytes.map { ByteBuffer(bytes: $0) } ?? ByteBuffer(string: body ?? "")
        let request = Request(head: head, body: .init(buffer: content))
        var channel = channel
        if let address {
            // UDP, which connects without anybody at the other end.
            channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: address, port: 9).get()
        }
        defer { if address != nil { channel.close(promise: nil) } }
        let context = HubRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: log))
        let response = try await responder.respond(to: request, context: context)
        try await afterHead()
        let written = Written()
        try await response.body.write(Writer(written: written))
        return Answer(
            status: response.status.code, headers: response.headers,
            bytes: written.bytes.withLock { Array(buffer: $0) })
    }

    /// A token of somebody who has signed in.
    public func token(_ person: PersonRecord) async throws -> String {
        try await test.services.accounts.signIn(person, agent: "test").token
    }
}

private final class Written: Sendable { let bytes = Mutex(ByteBuffer()) }

private struct Writer: ResponseBodyWriter {
    let written: Written

    mutating func write(_ buffer: ByteBuffer) async throws {
        written.bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension HTTPTestClient.Answer {
    /// The number of bytes of an upload that the hub has.
    public var uploadOffset: Int? { headers[.uploadOffset].flatMap { Int($0) } }
}
