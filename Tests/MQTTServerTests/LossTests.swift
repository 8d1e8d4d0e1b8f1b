import MQTT
import NIOCore
import Testing

@Suite("What is lost is counted by its reason", .timeLimit(.minutes(1)))
struct LossTests {
    private func losses(
        limits: Limits = RunningListener.unhurried, _ body: (RunningListener) async throws -> Void
    ) async throws -> Losses {
        try await RunningListener.with(limits: limits) { hub in
            try await body(hub)
            return try await hub.statistics.losses
        }
    }

    @Test(
        "A client that is refused",
        arguments: [
            (Connect(clientID: "a", userName: "refuse 4"), Loss.signIn),
            (Connect(clientID: "a", userName: "refuse 5"), .signIn),
            (Connect(clientID: "a", userName: "fail"), .unavailable),
            (Connect(clientID: String(repeating: "a", count: 257)), .clientIdentifier),
        ])
    func refused(connect: Connect, loss: Loss) async throws {
        let losses = try await losses { hub in
            var client = try await TestClient(port: hub.port)
            try await client.send(.connect(connect))
            _ = await client.readToEnd()
        }
        #expect(losses[loss] == 1)
    }

    @Test("One client too many")
    func tooMany() async throws {
        var limits = RunningListener.unhurried
        limits.connections = 1
        let losses = try await losses(limits: limits) { hub in
            let first = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            var second = try await TestClient(port: hub.port)
            try await second.send(.connect(Connect(clientID: "2")))
            _ = await second.readToEnd()
            try await first.vanish()
        }
        #expect(losses[.tooManyClients] == 1)
    }

    @Test("A message to a topic that is not the sender's own, and a filter that is not granted")
    func rights() async throws {
        let losses = try await losses { hub in
            try await hub.onLoop { $0.isForbidden = { _, access, _ in access == .subscribe } }
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            let filter = Subscribe.Subscription(filter: try TopicFilter("t"), qualityOfService: .atMostOnce)
            try await client.send(.subscribe(Subscribe(packetID: 1, subscriptions: [filter])))
            _ = try await client.next()
            try await client.publish("foreign/t", "1", id: 1)
            _ = try await client.next()
        }
        #expect(losses[.foreignTopic] == 1)
        #expect(losses[.subscription] == 1)
    }

    @Test("A connection that breaks the protocol, and one whose packet is too long")
    func violations() async throws {
        let losses = try await losses { hub in
            var first = try await TestClient(port: hub.port)
            try await first.send(.pingreq)
            _ = await first.readToEnd()
            var second = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            // A PUBLISH of 262,145 bytes.
            try await second.send(bytes: [0x30, 0x81, 0x80, 0x10])
            _ = await second.readToEnd()
        }
        #expect(losses[.violation] == 1)
        #expect(losses[.packetTooLarge] == 1)
    }

    @Test("Bytes and messages are counted as they come and go, by their quality of service")
    func messages() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            try await client.subscribe("t")
            let before = try await hub.statistics
            try await client.publish("t", "12345")
            _ = try await client.next()
            try await client.publish("t", "12345", id: 1)
            _ = try await client.next()
            _ = try await client.next()
            let after = try await hub.statistics
            #expect(after.receivedMessages[.atMostOnce] == 1)
            #expect(after.receivedMessages[.atLeastOnce] == 1)
            #expect(after.receivedMessages[.exactlyOnce] == 0)
            #expect(after.sentMessages[.atMostOnce] == 2)
            #expect(after.receivedBytes - before.receivedBytes == 10 + 12)
            // Two messages and a PUBACK.
            #expect(after.sentBytes - before.sentBytes == 10 + 10 + 4)
        }
    }

    @Test("What waits for an absent client is counted while it waits")
    func queued() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(
                port: hub.port, connect: Connect(clientID: "away", isCleanSession: false))
            try await client.subscribe("t", .atLeastOnce)
            try await client.vanish()
            try await hub.until { $0.outlet?.statistics.connections == 0 }
            try await hub.publish("t", "12345", .atLeastOnce)
            try await hub.publish("kept", "123", retain: true)
            let statistics = try await hub.statistics
            #expect(statistics.sessions == 1)
            #expect(statistics.queued == 1)
            #expect(statistics.queuedBytes >= 6)
            #expect(statistics.retained == 1)
            #expect(statistics.retainedBytes >= 7)
        }
    }
}
