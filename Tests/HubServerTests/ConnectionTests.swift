import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TLS
import Testing

@testable import HubKit
@testable import HubServer

/// One connection of HTTP/1.1 as the listeners build it, without a network and with a clock that the test moves.
private final class Connection {
    let channel = EmbeddedChannel()

    init(_ connections: OpenConnections, _ limits: ConnectionLimits = .init(), isBounded: Bool = true) throws {
        try channel.pipeline.syncOperations.addHandlers(
            ConnectionHandler(connections: connections, limits: limits) { _ in isBounded },
            RequestHandler(limits: limits, of: .connection))
        channel.connect(to: try SocketAddress(ipAddress: "192.168.1.7", port: 8443), promise: nil)
    }

    deinit { _ = try? channel.finish() }

    func ask() throws {
        let head = HTTPRequest(method: .post, scheme: "https", authority: "linden.local", path: "/api/session")
        try channel.writeInbound(HTTPRequestPart.head(head))
    }

    func send(bytes: Int) throws {
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: bytes)))
    }

    func endBody() throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

    func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// Whether it stands after some time.
    func stands(after time: TimeAmount) -> Bool {
        channel.embeddedEventLoop.advanceTime(by: time)
        return channel.isActive
    }
}

@Suite("Connections to the pages")
struct ConnectionTests {
    private let connections = OpenConnections(maximum: 8, maximumPerPeer: 3)

    @Test("One that never asks anything is closed after the idle time and the farewell, and is counted no more")
    func silent() throws {
        let one = try Connection(connections)
        #expect(connections.count == 1)
        #expect(one.stands(after: .seconds(64)))
        #expect(!one.stands(after: .seconds(1)))
        #expect(connections.count == 0)
    }

    @Test("A request stops the clock however long its answer takes, and the idle time begins anew after it")
    func asks() throws {
        let one = try Connection(connections)
        #expect(one.stands(after: .seconds(60)))
        try one.ask()
        try one.endBody()
        #expect(one.stands(after: .minutes(10)))
        try one.answer()
        #expect(one.stands(after: .seconds(64)))
        #expect(!one.stands(after: .seconds(1)))
    }

    @Test("A body that drips is ended, though each byte comes before any idle time is over")
    func drips() throws {
        let one = try Connection(connections)
        try one.ask()
        for _ in 0..<5 {
            #expect(one.stands(after: .seconds(5)))
            try one.send(bytes: 1)
        }
        #expect(!one.stands(after: .seconds(6)))
        #expect(connections.count == 0)
    }

    @Test("A body at the least rate has the time it takes, and no more once it comes slower")
    func steady() throws {
        let one = try Connection(connections)
        try one.ask()
        for _ in 0..<120 {
            #expect(one.stands(after: .seconds(1)))
            try one.send(bytes: 500)
        }
        #expect(one.stands(after: .seconds(29)))
        #expect(!one.stands(after: .seconds(1)))
    }

    @Test("A body that came quickly and then stops is ended like one that never came: bytes pay for no time to come")
    func stops() throws {
        let one = try Connection(connections)
        try one.ask()
        try one.send(bytes: 1 << 20)
        #expect(one.stands(after: .seconds(29)))
        #expect(!one.stands(after: .seconds(1)))
    }

    @Test("A second body on the same connection has the same time as the first")
    func second() throws {
        let one = try Connection(connections)
        for _ in 0..<2 {
            try one.ask()
            #expect(one.stands(after: .seconds(29)))
            try one.endBody()
            try one.answer()
        }
        try one.ask()
        #expect(!one.stands(after: .seconds(30)))
    }

    @Test("An answer that nobody takes is not stored for ever")
    func stalled() throws {
        let one = try Connection(connections)
        try one.ask()
        try one.endBody()
        one.channel.isWritable = false
        one.channel.pipeline.fireChannelWritabilityChanged()
        #expect(one.stands(after: .seconds(59)))
        one.channel.isWritable = true
        one.channel.pipeline.fireChannelWritabilityChanged()
        #expect(one.stands(after: .seconds(59)), "something of it was taken")
        one.channel.isWritable = false
        one.channel.pipeline.fireChannelWritabilityChanged()
        #expect(!one.stands(after: .seconds(60)))
    }

    @Test("An address with its fill loses the connection that has been idle longest; what is asked is answered")
    func perPeer() throws {
        let (busy, rested, idle) = (
            try Connection(connections), try Connection(connections), try Connection(connections)
        )
        try busy.ask()
        try busy.endBody()
        try rested.ask()
        try rested.endBody()
        try rested.answer()
        let fourth = try Connection(connections)
        #expect(!idle.stands(after: .zero))
        let fifth = try Connection(connections)
        #expect(!rested.stands(after: .zero))
        #expect(busy.stands(after: .zero) && fourth.stands(after: .zero) && fifth.stands(after: .zero))
        for one in [fourth, fifth] {
            try one.ask()
            try one.endBody()
        }
        let refused = try Connection(connections)
        #expect(!refused.stands(after: .zero))
        #expect(connections.count == 3)
    }

    @Test("Proxies and loopback, who bring everybody, are held to the total alone")
    func unbounded() throws {
        let all = try (0..<9).map { _ in try Connection(connections, isBounded: false) }
        #expect(all.map { $0.stands(after: .zero) } == [false] + Array(repeating: true, count: 8))
        #expect(connections.count == 8)
    }

    /// A full house of those whom no limit of an address bounds.
    private func crowd() throws -> [Connection] {
        try (0..<8).map { _ in try Connection(connections, isBounded: false) }
    }

    @Test("A request whose body still comes is no work: one goes for a new connection, whoever they say they are")
    func bodiesThatNeverEnd() throws {
        let crowd = try crowd()
        for one in crowd { try one.ask() }
        for _ in 0..<3 {
            for one in crowd {
                #expect(one.stands(after: .seconds(2)))
                try one.send(bytes: 1)
            }
        }
        let new = try Connection(connections, isBounded: false)
        #expect(new.stands(after: .zero))
        #expect(crowd.map { $0.stands(after: .zero) } == [false] + Array(repeating: true, count: 7))
        // Each further one takes the place of the next, and never that of the new one.
        let more = try (0..<7).map { _ in try Connection(connections, isBounded: false) }
        #expect(([new] + more).allSatisfy { $0.stands(after: .zero) })
        #expect(crowd.allSatisfy { !$0.stands(after: .zero) })
    }

    @Test("Of bodies that come, the slow ones go and the one that keeps pace stays, though it came first")
    func slowest() throws {
        let crowd = try crowd()
        for one in crowd { try one.ask() }
        for one in crowd { #expect(one.stands(after: .seconds(2))) }
        try crowd[0].send(bytes: 1_000)
        for one in crowd.dropFirst() { try one.send(bytes: 900) }
        let more = try (0..<7).map { _ in try Connection(connections, isBounded: false) }
        #expect(more.allSatisfy { $0.stands(after: .zero) })
        #expect(crowd.map { $0.stands(after: .zero) } == [true] + Array(repeating: false, count: 7))
    }

    @Test("An answer that its client does not take is no work either")
    func untaken() throws {
        let crowd = try crowd()
        for one in crowd {
            try one.ask()
            try one.endBody()
        }
        let refused = try Connection(connections, isBounded: false)
        #expect(!refused.stands(after: .zero))
        crowd[5].channel.isWritable = false
        crowd[5].channel.pipeline.fireChannelWritabilityChanged()
        let new = try Connection(connections, isBounded: false)
        #expect(new.stands(after: .zero))
        #expect(!crowd[5].stands(after: .zero))
    }

    @Test("Of the streams of HTTP/2 there are so many over all connections, and the slowest goes for a new one")
    func streams() throws {
        let all = OpenConnections(maximum: 4, maximumPerPeer: 4)
        let streams = try (0..<4).map { _ in
            let channel = EmbeddedChannel(handler: RequestHandler(limits: .init(), of: .stream(all)))
            channel.connect(to: try SocketAddress(ipAddress: "192.168.1.7", port: 8443), promise: nil)
            return channel
        }
        defer { for one in streams { _ = try? one.finish() } }
        let head = HTTPRequest(method: .post, scheme: "https", authority: "linden.local", path: "/api/session")
        for one in streams { try one.writeInbound(HTTPRequestPart.head(head)) }
        try streams[0].writeInbound(HTTPRequestPart.end(nil))
        let fifth = EmbeddedChannel(handler: RequestHandler(limits: .init(), of: .stream(all)))
        defer { _ = try? fifth.finish() }
        for one in streams { one.embeddedEventLoop.run() }
        #expect(streams.map(\.isActive) == [true, false, true, true], "the first is being answered")
        #expect(all.count == 4)
    }

    @Test("When the hub stops, an idle connection is closed though its client never says good-bye")
    func quiesces() throws {
        let (idle, busy) = (try Connection(connections), try Connection(connections))
        try busy.ask()
        try busy.endBody()
        for one in [idle, busy] { one.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        #expect(!idle.stands(after: .seconds(5)))
        #expect(busy.stands(after: .seconds(20)))
        try busy.answer()
        #expect(!busy.stands(after: .seconds(5)))
    }
}
