import MQTT
import NIOCore
import Testing

@Suite("Acknowledged means committed", .timeLimit(.minutes(1)))
struct AcknowledgementTests {
    @Test("PUBACKs leave in the order of the PUBLISHes [MQTT-4.6.0-2]")
    func order() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            let ids = (0..<2_000).map { UInt16(truncatingIfNeeded: $0 &* 7_919 % 65_521 + 1) }
            for id in ids { try await client.publish("t/\(id % 3)", "\(id)", id: id) }
            for id in ids { #expect(try await client.next() == .puback(packetID: id)) }
            #expect(try await hub.onLoop { $0.received.count } == 2_000)
        }
    }

    @Test("No PUBACK before the commit, and all of it after")
    func waits() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await client.send(TestClient.publish("t", "1", id: 1), TestClient.publish("t", "2", id: 2))
            try await hub.until { $0.isCommitting && $0.received.count == 2 }
            // Answered at once, so before the PUBACKs: nothing of them is out.
            try await client.settle()
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .puback(packetID: 1))
            #expect(try await client.next() == .puback(packetID: 2))
        }
    }

    @Test("What comes during a commit is acknowledged by the next one only")
    func nextBatch() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await client.publish("t", "1", id: 1)
            try await hub.until { $0.isCommitting }
            try await client.publish("t", "2", id: 2)
            try await hub.until { $0.received.count == 2 }
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .puback(packetID: 1))
            try await client.settle()
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .puback(packetID: 2))
        }
    }

    @Test("A commit that failed sends no PUBACK and closes")
    func failed() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "b"))
            try await client.publish("t", "1", id: 1)
            try await hub.until { $0.isCommitting }
            try await hub.onLoop { $0.finishCommits(failing: true) }
            #expect(await client.readToEnd() == [])
            #expect(hub.log.text.contains("commit failed"))
            try await other.settle()
        }
    }

    @Test("A batch that failed takes only those who waited for it")
    func failedOthers() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var first = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            var second = try await TestClient(port: hub.port, connect: Connect(clientID: "b"))
            try await first.publish("t", "1", id: 1)
            try await hub.until { $0.isCommitting }
            try await second.publish("t", "2", id: 2)
            try await hub.until { $0.received.count == 2 }
            try await hub.onLoop { $0.finishCommits(failing: true) }
            #expect(await first.readToEnd() == [])
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await second.next() == .puback(packetID: 2))
        }
    }

    @Test("QoS 0 is committed as well, without an answer")
    func atMostOnce() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await client.publish("t", "1")
            try await hub.until { $0.isCommitting }
            try await hub.onLoop { $0.finishCommits() }
            try await client.settle()
        }
    }

    @Test("A delegate without room is not read from, and loses nothing when it has room again")
    func backPressure() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await hub.onLoop { $0.isFull = true }
            let count = 5_000
            let channel = client.channel
            let sent = Task {
                for id in 0..<count {
                    var bytes = ByteBuffer()
                    TestClient.publish("t", "\(id)", id: UInt16(id % 60_000 + 1)).write(into: &bytes)
                    try await channel.writeAndFlush(bytes)
                }
            }
            try await sent.value
            // All lies in the system's buffers, and the listener had every chance to take it.
            var other = try await TestClient(port: hub.port)
            for _ in 0..<200 { try await hub.onLoop { _ in } }
            // No more than the read that was already asked for.
            #expect(try await hub.onLoop { $0.received.count } < count)
            try await hub.onLoop { $0.makeRoom() }
            try await other.send(.connect(Connect(clientID: "b")))
            #expect(try await other.next() == .connack(sessionPresent: false, .accepted))
            for id in 0..<count { #expect(try await client.next() == .puback(packetID: UInt16(id % 60_000 + 1))) }
        }
    }

    @Test(
        "SUBACK of a persistent session waits for the commit of the subscription, and CONNACK for that of the session")
    func durableSession() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var client = try await TestClient(port: hub.port)
            try await client.send(.connect(Connect(clientID: "a", isCleanSession: false)), .pingreq)
            try await hub.until { $0.isCommitting }
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .connack(sessionPresent: false, .accepted))
            #expect(try await client.next() == .pingresp, "Nothing leaves before CONNACK.")
            let filter = Subscribe.Subscription(filter: try TopicFilter("t"), qualityOfService: .atLeastOnce)
            try await client.send(.subscribe(Subscribe(packetID: 5, subscriptions: [filter])))
            try await hub.until { $0.isCommitting }
            #expect(try await hub.onLoop { $0.recorded.count } == 2)
            try await hub.publish("t", "later")
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .suback(packetID: 5, [.grantedQoS1]))
            #expect(try await client.next() == TestClient.publish("t", "later"), "Nothing overtakes the SUBACK.")
            let key = MQTTSessionKey(principal: .open, clientID: "a")
            #expect(
                try await hub.onLoop { $0.recorded } == [
                    .opened(key), .subscribed(key, filter: "t", .atLeastOnce),
                ])
        }
    }
}
