import HubInstruments
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import Testing

@testable import Accounts
@testable import Devices
@testable import HubKit
@testable import HubServer

@Suite("A page's socket")
struct LiveSocketTests {
    private struct Broken: Error {}

    @Test("A socket whose connection fails leaves no listener behind")
    func fails() async throws {
        let test = try TestHub()
        let token = try await test.services.accounts.signIn(try await test.seed(), agent: "test").token
        let channel = NIOAsyncTestingChannel()
        let services = test.services
        let hub = test.hub
        let (frames, devices) = try await channel.testingEventLoop.executeInContext {
            let devices = PageDevices(hub: services.hub, devices: services.devices, channels: services.channels)
            try channel.pipeline.syncOperations.addHandler(devices)
            return (
                try HTTP1WebSocketChannel.Frames(wrappingChannelSynchronously: channel),
                devices.handle(on: channel.eventLoop)
            )
        }
        try await channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 8080)).get()
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/api/live",
            headers: ["host": "localhost:8080", "authorization": "Bearer \(token)"])
        let serving = Task {
            try await LiveSocket(services: services).serve(
                head, frames, devices, isSecure: false,
                Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        }
        let hello = try await channel.waitForOutboundWrite(as: WebSocketFrame.self)
        #expect(String(buffer: hello.data).contains("hello"))
        #expect(hub.live.listenerCount == 1)
        channel.pipeline.fireErrorCaught(Broken())
        await #expect(throws: (any Error).self) { try await serving.value }
        #expect(hub.live.listenerCount == 0)
        _ = try? await channel.finish()
    }
}
