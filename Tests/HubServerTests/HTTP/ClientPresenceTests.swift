import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import HubKit

@Suite("Whether the client of a request is there")
struct ClientPresenceTests {
    private static func channel(isStream: Bool = false) throws -> (EmbeddedChannel, ClientPresence) {
        let handler = ClientPresenceHandler(isStream: isStream)
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return (channel, handler.presence)
    }

    @Test("It is, until its connection ends")
    func closed() throws {
        let (channel, presence) = try Self.channel()
        #expect(!presence.isGone)
        _ = try channel.finish()
        #expect(presence.isGone)
    }

    @Test("A client that has closed its half of a connection is gone; a stream’s half ends with its request")
    func half() throws {
        for isStream in [false, true] {
            let (channel, presence) = try Self.channel(isStream: isStream)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
            #expect(!presence.isGone)
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(presence.isGone == !isStream)
            _ = try? channel.finish()
            #expect(presence.isGone)
        }
    }

    @Test("A client whose channel has ended before anybody asks is gone, though nothing is left that noted it")
    func before() async throws {
        // UDP, which needs nobody at the other end.
        let bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ClientPresenceHandler(isStream: false))
            }
        }
        let channel = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let presence = await ClientPresence.of(channel)
        #expect(!presence.isGone)
        try await channel.close().get()
        // Asked on the channel's loop, behind all that its end does.
        #expect(await ClientPresence.of(channel).isGone)
        #expect(presence.isGone)
    }
}
