import HubInstruments
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import Devices
@testable import HubKit
@testable import HubServer

/// A page's WebSocket from bytes to bytes, as the listener builds it.
private final class Socket {
    static let maximumBytes = 1_024
    let channel = EmbeddedChannel()

    init(_ kind: WebSocketRulesHandler.Kind = .messages(maximumBytes: Socket.maximumBytes)) throws {
        try channel.pipeline.syncOperations.addHandlers(
            WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: Self.maximumBytes)),
            WebSocketProtocolErrorHandler(), WebSocketRulesHandler(kind, ping: .seconds(30)),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: WebSocketRulesHandler.maximumFragments + 1,
                maxAccumulatedFrameSize: Self.maximumBytes))
        channel.connect(to: try SocketAddress(ipAddress: "192.168.1.7", port: 8443), promise: nil)
    }

    deinit { _ = try? channel.finish() }

    /// One frame (RFC 6455, 5.2), masked with zeros unless said otherwise.
    func send(_ first: UInt8, _ payload: [UInt8] = [], isMasked: Bool = true) {
        var bytes = ByteBuffer(bytes: [first])
        let mask: UInt8 = isMasked ? 0x80 : 0
        if payload.count < 126 {
            bytes.writeInteger(mask | UInt8(payload.count))
        } else {
            bytes.writeInteger(mask | 126)
            bytes.writeInteger(UInt16(payload.count))
        }
        if isMasked { bytes.writeInteger(UInt32(0)) }
        bytes.writeBytes(payload)
        _ = try? channel.writeInbound(bytes)
        if isRead { channel.read() }
    }

    /// Whether somebody behind asks for more, as a channel does by itself.
    var isRead = true

    /// The messages that got through since the last time.
    func heard() throws -> [String] {
        var all: [String] = []
        while let frame = try channel.readInbound(as: WebSocketFrame.self) {
            all.append(String(buffer: frame.unmaskedData))
        }
        return all
    }

    /// All that was said to the page.
    func said() throws -> [UInt8] {
        channel.embeddedEventLoop.run()
        var all: [UInt8] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) { all += Array(buffer: part) }
        return all
    }
}

@Suite("What a page may say on its WebSocket")
struct WebSocketRulesTests {
    @Test(
        "A frame that breaks a rule closes the socket with the code for it",
        arguments: [
            ("unmasked", [(0x81, "hello", false)], 1002), ("unmasked and empty", [(0x81, "", false)], 1002),
            ("an unmasked ping", [(0x89, "", false)], 1002), ("a reserved bit", [(0xC1, "hello", true)], 1002),
            ("the second reserved bit", [(0xA1, "hello", true)], 1002),
            ("the third reserved bit", [(0x91, "hello", true)], 1002), ("a reserved opcode", [(0x83, "", true)], 1002),
            ("the last reserved opcode", [(0x87, "", true)], 1002),
            ("a reserved control opcode", [(0x8B, "", true)], 1002),
            ("the last reserved control opcode", [(0x8F, "", true)], 1002),
            ("a ping in fragments", [(0x09, "", true)], 1002),
            ("a ping that is too long", [(0x89, String(repeating: "x", count: 126), true)], 1002),
            ("the rest of no message", [(0x80, "hello", true)], 1002),
            ("a message within another", [(0x01, "a", true), (0x81, "b", true)], 1002),
            ("a fragment within another message", [(0x01, "a", true), (0x01, "b", true)], 1002),
            ("a frame that is too long", [(0x81, String(repeating: "x", count: 1_025), true)], 1009),
            (
                "a message that is too long",
                [(0x01, String(repeating: "x", count: 600), true), (0x80, String(repeating: "x", count: 600), true)],
                1009
            ),
            ("a close with half a code", [(0x88, "x", true)], 1002),
            ("a close with a code that is never sent", [(0x88, "\u{3}\u{6D}", true)], 1002),
        ] as [(String, [(UInt8, String, Bool)], Int)])
    func breaks(_ what: String, frames: [(UInt8, String, Bool)], code: Int) throws {
        let socket = try Socket()
        for (first, text, isMasked) in frames { socket.send(first, Array(text.utf8), isMasked: isMasked) }
        let said = try socket.said()
        #expect(said == [0x88, 2, UInt8(code >> 8), UInt8(code & 255)])
        #expect(!socket.channel.isActive)
    }

    @Test("A message of very many fragments is ended, also where they hold nothing")
    func fragments() throws {
        let socket = try Socket()
        socket.send(0x01)
        for _ in 0..<WebSocketRulesHandler.maximumFragments { socket.send(0x00) }
        #expect(try socket.said() == [0x88, 2, 0x03, 0xF0])
        #expect(!socket.channel.isActive)
    }

    @Test("A close may have a reason, which is text")
    func reason() throws {
        let good = try Socket()
        good.send(0x88, [0x03, 0xE8] + Array("done".utf8))
        #expect(try good.said().isEmpty && good.channel.isActive, "it is for whoever serves the page to answer")
        let bad = try Socket()
        bad.send(0x88, [0x03, 0xE8, 0xC3, 0x28])
        #expect(try bad.said() == [0x88, 2, 0x03, 0xEF])
    }

    @Test("A message in one frame or in several gets through, with pings in between")
    func good() throws {
        let socket = try Socket()
        socket.send(0x81, Array("one".utf8))
        socket.send(0x01, Array("tw".utf8))
        socket.send(0x89, [])
        socket.send(0x80, Array("o".utf8))
        #expect(try socket.heard() == ["one", "", "two"])
        #expect(socket.channel.isActive)
    }

    @Test("A page that says nothing is asked whether it is there, and closed at the third time without an answer")
    func pings() throws {
        let socket = try Socket()
        socket.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(try socket.said() == [0x89, 0])
        socket.send(0x8A)
        socket.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        socket.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(try socket.said() == [0x89, 0, 0x89, 0])
        #expect(socket.channel.isActive)
        socket.channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!socket.channel.isActive)
    }

    @Test("Who is not read from is asked, and not closed for an answer that nobody reads")
    func heldReads() throws {
        let socket = try Socket()
        socket.isRead = false
        socket.send(0x81, Array("one".utf8))
        for _ in 0..<5 { socket.channel.embeddedEventLoop.advanceTime(by: .seconds(30)) }
        #expect(socket.channel.isActive)
    }

    @Test("A stream of bytes takes no text, and ends a message in it no differently")
    func stream() throws {
        let whole = try Socket(.binary)
        whole.send(0x81, Array("hello".utf8))
        #expect(try whole.said() == [0x88, 2, 0x03, 0xEB])
        let fragment = try Socket(.binary)
        fragment.send(0x01, Array("hello".utf8))
        #expect(try fragment.said() == [0x88, 2, 0x03, 0xEB])
        let rest = try Socket(.binary)
        rest.send(0x80, Array("hello".utf8))
        #expect(try rest.said() == [0x88, 2, 0x03, 0xEA])
    }

    @Test("A text that is not UTF-8 closes the socket with 1007")
    func invalidText() throws {
        let services = try TestHub().services
        let channel = EmbeddedChannel(
            handler: PageDevices(hub: services.hub, devices: services.devices, channels: services.channels))
        defer { _ = try? channel.finish() }
        channel.connect(to: try SocketAddress(ipAddress: "192.168.1.7", port: 8443), promise: nil)
        try channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: [0xC3, 0x28])))
        channel.embeddedEventLoop.run()
        let frame = try #require(try channel.readOutbound(as: WebSocketFrame.self))
        #expect(frame.opcode == .connectionClose)
        #expect(Array(buffer: frame.data) == [0x03, 0xEF])
        #expect(!channel.isActive)
    }
}
