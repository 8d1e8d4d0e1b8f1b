import NIOCore
import NIOEmbedded
import NIOSSL
import Synchronization
import TestInstruments
import Testing

@testable import TLS

@Suite("The door for new connections")
struct TLSAcceptorTests {
    private let handshake: Handshake
    private let acceptor: TLSAcceptor

    init() throws {
        handshake = try Handshake()
        acceptor = handshake.acceptor()
    }

    private func client(_ handler: NIOSSLClientHandler) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(handler)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 8443), promise: nil)
        return channel
    }

    private func isAlone(_ connection: AcceptedConnection) -> Bool {
        let pipeline = connection.channel.pipeline.syncOperations
        return (try? pipeline.handler(type: FirstByteHandler.self)) == nil
            && (try? pipeline.handler(type: HandshakeHandler.self)) == nil
    }

    @Test("A request without TLS loses no byte, wherever it is split")
    func plainHTTP() throws {
        let request = "GET /welcome HTTP/1.1\r\nHost: linden.local:8443\r\n\r\n"
        for place in 0...request.utf8.count {
            let connection = try AcceptedConnection(acceptor)
            try connection.receive(Array(request.utf8.prefix(place)))
            try connection.receive(Array(request.utf8.dropFirst(place)))
            #expect(connection.received.text == request)
            #expect(connection.start == [.plainHTTP])
            #expect(connection.channel.isActive && isAlone(connection))
            #expect(acceptor.halfOpenCount == 0)
        }
        let slow = try AcceptedConnection(acceptor)
        for byte in request.utf8 { try slow.receive([byte]) }
        #expect(slow.received.text == request)
    }

    @Test("What comes before the handlers are there waits for them, in its order")
    func waits() throws {
        let opening = Mutex<EventLoopPromise<Void>?>(nil)
        let connection = try AcceptedConnection(acceptor) { eventLoop in
            let promise = eventLoop.makePromise(of: Void.self)
            opening.withLock { $0 = promise }
            return promise.futureResult
        }
        for part in ["GET ", "/ HTTP/1.1\r\n", "Host: x\r\n", "\r\n"] { try connection.receive(part) }
        #expect(connection.received.text.isEmpty && connection.start == [.plainHTTP])
        opening.withLock { $0 }?.succeed()
        connection.channel.embeddedEventLoop.run()
        #expect(connection.received.text == "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(isAlone(connection))
    }

    @Test("Handlers that cannot be added close the connection")
    func cannotConfigure() throws {
        struct Unable: Error {}
        let connection = try AcceptedConnection(acceptor) { $0.makeFailedFuture(Unable()) }
        try connection.receive("GET / HTTP/1.1\r\n")
        connection.channel.embeddedEventLoop.run()
        #expect(!connection.channel.isActive)
    }

    @Test(
        "A client that trusts the authority gets through, and is told apart by ALPN",
        arguments: [
            (["h2", "http/1.1"], "h2"), (["http/1.1"], "http/1.1"), (["http/1.1", "h2"], "h2"), ([], nil),
            (["spdy/3"], nil),
        ] as [([String], String?)])
    func tls(_ offered: [String], _ agreed: String?) throws {
        for pieces in [Int.max, 1] {
            let connection = try AcceptedConnection(acceptor)
            let client = try client(try handshake.client(applicationProtocols: offered))
            #expect(acceptor.halfOpenCount == 1)
            // Written before the handshake, so that it comes with the last of it.
            client.writeAndFlush(ByteBuffer(string: "hello"), promise: nil)
            try connection.exchange(with: client, pieces: pieces)
            #expect(connection.start == [.tls(applicationProtocol: agreed)])
            #expect(connection.received.text == "hello")
            #expect(acceptor.halfOpenCount == 0)
            #expect(isAlone(connection))
            connection.channel.embeddedEventLoop.advanceTime(by: .hours(1))
            #expect(connection.channel.isActive, "the deadline is for handshakes")
            client.abandon()
        }
    }

    @Test(
        "A client that trusts another authority, or speaks TLS 1.1 at most, does not get through and is no error",
        arguments: [true, false])
    func refused(isOld: Bool) throws {
        let connection = try AcceptedConnection(acceptor)
        let client = try client(
            isOld
                ? try handshake.client(minimum: .tlsv1, maximum: .tlsv11)
                : try handshake.client(maximum: .tlsv12, trusts: try Authority.make(hubName: "linden")))
        // The client tells its own trouble.
        try? connection.exchange(with: client)
        try? connection.exchange(with: client)
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(connection.start.isEmpty)
        #expect(!connection.channel.isActive)
        #expect(connection.failure == .ended)
        #expect(acceptor.halfOpenCount == 0)
        client.abandon()
    }

    static let garbage: [[UInt8]] = [
        [0], [22, 3, 1, 0, 5, 0, 0, 0, 0, 0], [22, 0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0xFF, count: 100),
        [22, 3, 1, 0, 4, 2, 0, 0, 0], [21, 3, 1, 0, 2, 2, 40], [23, 3, 3, 0, 1, 0], [0x80, 0x2E, 1, 3, 1],
        Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8),
        [16, 12, 0, 4, 77, 81, 84, 84, 4, 2, 0, 60, 0, 0],
    ]

    @Test("Rubbish is closed without a word in the log above debug", arguments: garbage)
    func rubbish(_ bytes: [UInt8]) throws {
        let log = RecordedLog()
        var logger = log.logger
        logger.logLevel = .info
        let acceptor = handshake.acceptor(logger: logger)
        let connection = try AcceptedConnection(acceptor)
        try connection.receive(bytes)
        #expect(!connection.channel.isActive)
        #expect(connection.failure == .ended && connection.start.isEmpty)
        #expect(acceptor.halfOpenCount == 0)
        #expect(log.text.isEmpty)
    }

    @Test("Random bytes after the first of TLS never get through, and are gone by the deadline")
    func fuzz() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("handshake fuzz seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        let hello = try handshake.clientHello()
        for _ in 0..<300 {
            var bytes = hello
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                bytes[Int.random(in: 1..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let connection = try AcceptedConnection(acceptor)
            try connection.receive(bytes)
            try connection.receive((0..<64).map { _ in UInt8.random(in: 0...255, using: &random) })
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            #expect(!connection.channel.isActive)
            #expect(connection.start.isEmpty)
            #expect(acceptor.halfOpenCount == 0)
        }
    }

    @Test("Who says nothing, or not enough, is closed at the deadline and not before")
    func deadline() throws {
        let hello = try handshake.clientHello()
        for said in [[], Array("GE".utf8), Array(hello.prefix(hello.count / 2)), hello] {
            let connection = try AcceptedConnection(acceptor)
            try connection.receive(said)
            connection.channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
            #expect(connection.channel.isActive && acceptor.halfOpenCount == 1)
            connection.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(!connection.channel.isActive && acceptor.halfOpenCount == 0)
            #expect(connection.failure == .ended)
        }
    }

    @Test("Who goes away before is no longer counted")
    func goesAway() throws {
        let hello = try handshake.clientHello()
        for said in [[], Array("GE".utf8), Array(hello.prefix(20)), hello] {
            let connection = try AcceptedConnection(acceptor)
            try connection.receive(said)
            #expect(acceptor.halfOpenCount == 1)
            try connection.clientGoesAway()
            #expect(acceptor.halfOpenCount == 0 && connection.failure == .ended)
        }
    }

    @Test("A connection that is gone already is an error, not a trap")
    func alreadyClosed() throws {
        let channel = EmbeddedChannel()
        _ = try channel.finish()
        #expect(throws: ChannelError.self) {
            _ = try acceptor.start(on: channel) { _ in channel.eventLoop.makeSucceededVoidFuture() }
        }
        #expect(throws: ChannelError.self) { try acceptor.secure(channel).wait() }
        #expect(acceptor.halfOpenCount == 0)
    }

    @Test("A door for TLS alone closes plain text, and answers nothing to it")
    func secure() throws {
        for text in ["GET / HTTP/1.1\r\n\r\n", "\u{10}\u{0C}\u{0}\u{4}MQTT"] {
            let channel = EmbeddedChannel()
            let received = ReceivedBytes()
            try acceptor.secure(channel).wait()
            try channel.pipeline.syncOperations.addHandler(received)
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 8883), promise: nil)
            try channel.writeInbound(ByteBuffer(string: text))
            #expect(!channel.isActive && received.text.isEmpty)
            #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        }
        #expect(acceptor.halfOpenCount == 0)
    }
}
