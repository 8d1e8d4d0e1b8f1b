import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import ClientKit

@Suite("A program that signs in")
struct HubClientTests {
    @Test(
        "A redirect is not followed: the password goes to whom it was typed for alone", arguments: [301, 302, 307, 308])
    func redirect(status: Int) async throws {
        let elsewhere = try await AnsweringServer(status: 200)
        let server = try await AnsweringServer(status: status, location: elsewhere.url + "/api/session")
        let error = await #expect(throws: HubClientError.self) {
            _ = try await HubClient.signIn(url: server.url, email: "ines@example.org", password: "correct horse")
        }
        #expect(error?.description.contains("leads elsewhere") == true)
        #expect(server.paths == ["/api/session"])
        #expect(elsewhere.paths == [])
    }

    @Test("An address with https where there is no TLS is told in words, and not in those of a library")
    func plain() async throws {
        let server = try await AnsweringServer(status: 200)
        let error = await #expect(throws: HubClientError.self) {
            _ = try await HubClient.signIn(
                url: server.url.replacing("http:", with: "https:"), email: "ines@example.org", password: "correct horse"
            )
        }
        #expect(error?.description.contains("speaks no TLS") == true, "\(String(describing: error))")
        #expect(server.paths == [])
    }
}

/// Says the same to everybody, and remembers what was asked.
private final class AnsweringServer: Sendable {
    private let channel: any Channel
    private let asked: Asked

    final class Asked: Sendable { let paths = Mutex<[String]>([]) }

    init(status: Int, location: String? = nil) async throws {
        let asked = Asked()
        self.asked = asked
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        Handler(status: status, location: location, asked: asked))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    var paths: [String] { asked.paths.withLock { $0 } }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let status: Int
        private let location: String?
        private let asked: Asked

        init(status: Int, location: String?, asked: Asked) {
            self.status = status
            self.location = location
            self.asked = asked
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): asked.paths.withLock { $0.append(head.uri) }
            case .body: break
            case .end:
                var headers = HTTPHeaders([("Content-Length", "0")])
                if let location { headers.add(name: "Location", value: location) }
                let head = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: status), headers: headers)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
