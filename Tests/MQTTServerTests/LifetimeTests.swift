import MQTT
import MQTTServer
import NIOCore
import NIOPosix
import Testing

@Suite("The life of connections and of the listener", .timeLimit(.minutes(1)))
struct LifetimeTests {
    private func connectWithWill(_ retain: Bool = false) throws -> Connect {
        Connect(
            clientID: "a",
            will: Will(
                topic: try TopicName("status"), payload: Array("gone".utf8), qualityOfService: .atLeastOnce,
                retain: retain),
            userName: "device 1")
    }

    @Test("A will is published when the connection ends without DISCONNECT [MQTT-3.1.2-8]")
    func will() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("status", .atLeastOnce)
            let client = try await TestClient(port: hub.port, connect: try connectWithWill())
            try await client.vanish()
            #expect(try await watcher.next() == TestClient.publish("status", "gone", id: 1))
            #expect(try await hub.onLoop { $0.received } == [.init(topic: "status", payload: "gone")])
        }
    }

    @Test("A will is published when the client breaks the protocol, and retained if it asks for that [MQTT-3.1.2-17]")
    func willOfViolator() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: try connectWithWill(true))
            try await client.send(bytes: [0, 0])
            #expect(await client.readToEnd() == [])
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("status")
            #expect(try await watcher.next() == TestClient.publish("status", "gone", retain: true))
        }
    }

    @Test("DISCONNECT discards the will [MQTT-3.1.2-10]")
    func noWill() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("#")
            var client = try await TestClient(port: hub.port, connect: try connectWithWill())
            try await client.send(.disconnect())
            #expect(await client.readToEnd() == [])
            try await hub.until { $0.departed == [.device(id: "1")] }
            try await watcher.settle()
        }
    }

    @Test("A will is authorised when it is published")
    func willAuthorised() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("#")
            let client = try await TestClient(port: hub.port, connect: try connectWithWill(true))
            try await hub.onLoop { delegate in
                delegate.isForbidden = { principal, access, _ in principal == .device(id: "1") && access == .publish }
            }
            try await client.vanish()
            try await hub.until { !$0.departed.isEmpty }
            try await watcher.settle()
            #expect(try await hub.onLoop { $0.recorded } == [])
            #expect(hub.log.text.contains("will was dropped"))
        }
    }

    @Test("A client silent for one and a half keep-alives is closed, with its will [MQTT-3.1.2-24]")
    func keepAlive() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w", keepAliveSeconds: 0))
            try await watcher.subscribe("status", .atLeastOnce)
            var connect = try connectWithWill()
            connect.keepAliveSeconds = 1
            var client = try await TestClient(port: hub.port, connect: connect)
            #expect(await client.readToEnd() == [])
            #expect(try await watcher.next() == TestClient.publish("status", "gone", id: 1))
            #expect(hub.log.text.contains("MQTT-3.1.2-24"))
        }
    }

    @Test("A connection without CONNECT is closed after its time")
    func connectTime() async throws {
        var limits = Limits()
        limits.connectTime = .milliseconds(100)
        try await RunningListener.with(limits: limits) { hub in
            var client = try await TestClient(port: hub.port)
            #expect(await client.readToEnd() == [])
            #expect(hub.log.text.contains("No CONNECT"))
        }
    }

    @Test("A CONNECT that drips is closed after the same time: what comes of it does not begin the time anew")
    func drippingConnect() async throws {
        var limits = Limits()
        limits.connectTime = .milliseconds(50)
        try await RunningListener.with(limits: limits) { hub in
            let client = try await TestClient(port: hub.port)
            // The beginning of a long one, then zeros; what is sent after the end has nowhere to go.
            try? await client.send(bytes: [0x10, 0xFF, 0x7F])
            while try await hub.statistics.losses[.noConnect] == 0 { try? await client.send(bytes: [0]) }
            #expect(try await hub.statistics.halfOpen <= 1)
        }
    }

    @Test("Above the limit of connections CONNECT is refused with 3")
    func connectionLimit() async throws {
        var limits = Limits()
        limits.connections = 1
        try await RunningListener.with(limits: limits) { hub in
            var first = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            var second = try await TestClient(port: hub.port)
            try await second.send(.connect(Connect(clientID: "2")))
            #expect(try await second.next() == .connack(sessionPresent: false, .serverUnavailable))
            #expect(try await second.next() == nil)
            try await first.send(.disconnect())
            #expect(try await first.next() == nil)
            _ = try await TestClient(port: hub.port, connect: Connect(clientID: "3"))
        }
    }

    @Test("While it is found out who a client is, what it sends waits, and is done afterwards in order")
    func slowAuthentication() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port)
            try await client.send(
                .connect(Connect(clientID: "a", userName: "wait")), TestClient.publish("t", "1", id: 1), .pingreq)
            try await client.publish("t", "2", id: 2)
            try await hub.until { $0.attempts.count == 1 }
            #expect(try await hub.onLoop { $0.received } == [])
            try await hub.onLoop { $0.admitWaiting() }
            #expect(try await client.next() == .connack(sessionPresent: false, .accepted))
            var rest: [Packet] = []
            for _ in 0..<3 { if let packet = try await client.next() { rest.append(packet) } }
            #expect(rest.filter { $0 != .pingresp } == [.puback(packetID: 1), .puback(packetID: 2)])
            #expect(try await hub.onLoop { $0.attempts.first?.clientID } == "a")
        }
    }

    @Test("A client that goes while it is being looked up leaves nothing behind")
    func goneDuringAuthentication() async throws {
        try await RunningListener.with { hub in
            let client = try await TestClient(port: hub.port)
            try await client.send(.connect(Connect(clientID: "a", isCleanSession: false, userName: "wait")))
            try await hub.until { $0.attempts.count == 1 }
            try await client.vanish()
            try await hub.onLoop { $0.admitWaiting() }
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "b"))
            try await other.settle()
            #expect(try await hub.statistics.connections <= 2)
        }
    }

    @Test("A graceful shutdown acknowledges what was received, publishes wills and closes every client")
    func shutdown() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var publisher = try await TestClient(port: hub.port, connect: try connectWithWill(true))
            var idle = try await TestClient(port: hub.port, connect: Connect(clientID: "idle"))
            var silent = try await TestClient(port: hub.port)
            try await publisher.publish("t", "1", id: 1)
            try await hub.until { $0.isCommitting }
            await hub.trigger()
            #expect(await idle.readToEnd() == [])
            #expect(await silent.readToEnd() == [])
            try await hub.onLoop { delegate in
                delegate.holdsCommits = false
                delegate.finishCommits()
            }
            #expect(try await publisher.next() == .puback(packetID: 1))
            #expect(try await publisher.next() == nil)
            let recorded = try await hub.onLoop { $0.recorded }
            #expect(
                recorded == [
                    .retained(
                        StoredMessage(
                            topic: "status", payload: Array("gone".utf8), qualityOfService: .atLeastOnce,
                            publisher: .device(id: "1")), isRead: true)
                ])
        }
    }

    @Test("A graceful shutdown ends even when a commit never does, and a client never reads")
    func stuckShutdown() async throws {
        var limits = Limits()
        limits.shutdownTime = .milliseconds(200)
        try await RunningListener.with(limits: limits) { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var stuck = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await stuck.publish("t", "1", id: 1)
            try await hub.until { $0.isCommitting }
            await hub.trigger()
            #expect(await stuck.readToEnd() == [])
        }
    }

    @Test("A port in use is one clear line that names it")
    func portInUse() async throws {
        try await RunningListener.with { hub in
            let loop = hub.loop
            let delegate = try await loop.submit { NIOLoopBound(RecordingDelegate(loop), eventLoop: loop) }.get()
            let second = MQTTListener(
                configuration: .init(port: hub.port), loop: loop, delegate: delegate, logger: hub.log.logger)
            let error = await #expect(throws: ListenerError.self) { try await second.start() }
            #expect(error == .portInUse(host: "127.0.0.1", port: hub.port))
            #expect(
                error?.description
                    == "MQTT port \(hub.port) on 127.0.0.1 is in use by another program: stop that one or choose another port."
            )
        }
    }

    @Test("What the listener has and has done is visible")
    func statistics() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(
                port: hub.port, connect: Connect(clientID: "a", isCleanSession: false))
            try await client.subscribe("t")
            try await client.publish("t", "1")
            _ = try await client.next()
            var expected = ListenerStatistics()
            expected.connections = 1
            expected.sessions = 1
            expected.receivedMessages[.atMostOnce] = 1
            expected.sentMessages[.atMostOnce] = 1
            // CONNECT, SUBSCRIBE and PUBLISH; CONNACK, SUBACK and PUBLISH.
            (expected.receivedBytes, expected.sentBytes) = (15 + 8 + 6, 4 + 5 + 6)
            #expect(try await hub.statistics == expected)
            expected.receivedBytes += 2
            try await client.send(.disconnect())
            _ = try await client.next()
            expected.connections = 0
            #expect(try await hub.statistics == expected)
        }
    }
}
