import MQTT
import NIOCore
import Testing

@Suite("Sessions and take-over", .timeLimit(.minutes(1)))
struct SessionTests {
    private func persistent(_ clientID: String, _ userName: String? = nil) -> Connect {
        Connect(clientID: clientID, isCleanSession: false, userName: userName)
    }

    @Test("A second CONNECT with the same id takes over, and the first is closed [MQTT-3.1.4-2]")
    func takeOver() async throws {
        try await RunningListener.with { hub in
            var first = try await TestClient(port: hub.port, connect: persistent("a"))
            try await first.subscribe("t", .atLeastOnce)
            var second = try await TestClient(port: hub.port, connect: persistent("a"), sessionPresent: true)
            #expect(await first.readToEnd() == [])
            try await second.publish("t", "1", id: 7)
            #expect(try await second.next() == TestClient.publish("t", "1", id: 1))
            #expect(try await second.next() == .puback(packetID: 7))
            #expect(try await hub.statistics.connections == 1)
            #expect(hub.log.text.contains("takes over"))
        }
    }

    @Test("A guessed client id reads nobody's queue: sessions are kept by who connected and client id")
    func guessedClientID() async throws {
        try await RunningListener.with { hub in
            var owner = try await TestClient(port: hub.port, connect: persistent("phone", "device 1"))
            try await owner.subscribe("t", .atLeastOnce)
            try await owner.vanish()
            try await hub.until { !$0.departed.isEmpty }
            try await hub.publish("t", "for the owner", .atLeastOnce)
            // Neither the queue nor a take-over.
            var thief = try await TestClient(port: hub.port, connect: persistent("phone", "device 2"))
            try await thief.settle()
            var owning = try await TestClient(
                port: hub.port, connect: persistent("phone", "device 1"), sessionPresent: true)
            #expect(try await owning.next() == TestClient.publish("t", "for the owner", id: 1))
            try await thief.settle()
        }
    }

    @Test("What was not acknowledged comes again after a break, with DUP and its packet id [MQTT-4.4.0-1]")
    func resend() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: persistent("a"))
            try await client.subscribe("t", .atLeastOnce)
            try await hub.publish("t", "1", .atLeastOnce)
            try await hub.publish("t", "2", .atLeastOnce)
            #expect(try await client.next() == TestClient.publish("t", "1", id: 1))
            #expect(try await client.next() == TestClient.publish("t", "2", id: 2))
            try await client.send(.puback(packetID: 1))
            try await client.settle()
            try await client.vanish()
            try await hub.until { !$0.departed.isEmpty }
            try await hub.publish("t", "3", .atLeastOnce)
            client = try await TestClient(port: hub.port, connect: persistent("a"), sessionPresent: true)
            #expect(try await client.next() == TestClient.publish("t", "2", id: 2, isDuplicate: true))
            #expect(try await client.next() == TestClient.publish("t", "3", id: 3))
            let key = MQTTSessionKey(principal: .open, clientID: "a")
            let changes = try await hub.onLoop { $0.recorded }
            func queued(_ text: String, _ sequence: UInt64) -> StoredChange {
                .queued(
                    key, sequence: sequence,
                    StoredMessage(
                        topic: "t", payload: Array(text.utf8), qualityOfService: .atLeastOnce, publisher: .hub))
            }
            #expect(
                changes.dropFirst(2) == [
                    queued("1", 1), queued("2", 2), .delivered(key, sequence: 1), queued("3", 3),
                ])
        }
    }

    @Test("A restarted listener goes on where the last one stopped")
    func restart() async throws {
        let key = MQTTSessionKey(principal: .open, clientID: "a")
        let message = StoredMessage(
            topic: "t", payload: Array("waiting".utf8), qualityOfService: .atLeastOnce, publisher: .device(id: "1"))
        let kept = StoredMessage(
            topic: "kept", payload: Array("value".utf8), qualityOfService: .atMostOnce, publisher: .device(id: "1"))
        let stored: [StoredChange] = [
            .opened(key), .subscribed(key, filter: "t", .atLeastOnce), .queued(key, sequence: 41, message),
            .retained(kept),
        ]
        try await RunningListener.with(stored: stored) { hub in
            var client = try await TestClient(port: hub.port, connect: persistent("a"), sessionPresent: true)
            #expect(try await client.next() == TestClient.publish("t", "waiting", id: 41, isDuplicate: true))
            try await client.send(.puback(packetID: 41))
            try await client.settle()
            #expect(try await hub.onLoop { $0.recorded } == [.delivered(key, sequence: 41)])
            let filter = Subscribe.Subscription(filter: try TopicFilter("kept"), qualityOfService: .atLeastOnce)
            try await client.send(.subscribe(Subscribe(packetID: 2, subscriptions: [filter])))
            #expect(try await client.next() == .suback(packetID: 2, [.grantedQoS1]))
            #expect(try await client.next() == TestClient.publish("kept", "value", retain: true))
        }
    }

    @Test("A queued message is authorised again when it is delivered: the publisher's right and the receiver's")
    func queuedAuthorisedAgain() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: persistent("a", "device reader"))
            try await client.subscribe("#", .atLeastOnce)
            try await client.vanish()
            try await hub.until { !$0.departed.isEmpty }
            var publisher = try await TestClient(
                port: hub.port, connect: Connect(clientID: "p", userName: "device writer"))
            for (id, topic) in ["one", "two", "three"].enumerated() {
                try await publisher.publish(topic, topic, id: UInt16(id + 1))
                #expect(try await publisher.next() == .puback(packetID: UInt16(id + 1)))
            }
            try await hub.onLoop { delegate in
                delegate.isForbidden = { principal, access, topic in
                    (principal == .device(id: "writer") && access == .publish && topic == "one")
                        || (principal == .device(id: "reader") && access == .receive && topic == "two")
                }
            }
            client = try await TestClient(
                port: hub.port, connect: persistent("a", "device reader"), sessionPresent: true)
            #expect(try await client.next() == TestClient.publish("three", "three", id: 3))
            try await client.settle()
            // What was held back is not stored either.
            let key = MQTTSessionKey(principal: .device(id: "reader"), clientID: "a")
            let changes = try await hub.onLoop { $0.recorded }
            #expect(changes.suffix(2) == [.delivered(key, sequence: 1), .delivered(key, sequence: 2)])
        }
    }

    @Test("A retained message is authorised again when it is delivered: the publisher's right and the receiver's")
    func retainedAuthorisedAgain() async throws {
        try await RunningListener.with { hub in
            let writer = Connect(clientID: "p", userName: "device writer")
            var publisher = try await TestClient(port: hub.port, connect: writer)
            for topic in ["one", "two", "three"] { try await publisher.publish(topic, topic, retain: true) }
            try await publisher.settle()
            try await hub.onLoop { delegate in
                delegate.isForbidden = { principal, access, topic in
                    (principal == .device(id: "writer") && access == .publish && topic == "one")
                        || (principal == .device(id: "reader") && access == .receive && topic == "two")
                }
            }
            var reader = try await TestClient(
                port: hub.port, connect: Connect(clientID: "a", userName: "device reader"))
            try await reader.subscribe("#")
            #expect(try await reader.next() == TestClient.publish("three", "three", retain: true))
            try await reader.settle()
        }
    }

    @Test("Legacy clients get in with a will and a persistent session, and get neither; RETAIN is taken off")
    func legacy() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("#")
            let will = Will(topic: try TopicName("will"), payload: [1])
            var legacy = persistent("iPhone", "legacy")
            legacy.will = will
            var client = try await TestClient(port: hub.port, connect: legacy)
            try await client.publish("rpi/torpi", "hello", retain: true)
            try await client.settle()
            #expect(
                try await hub.onLoop { $0.received } == [.init(topic: "rpi/torpi", payload: "hello", retain: false)])
            try await client.vanish()
            try await hub.until { !$0.departed.isEmpty }
            #expect(try await watcher.next() == TestClient.publish("rpi/torpi", "hello"))
            try await watcher.settle()
            #expect(try await hub.onLoop { $0.recorded } == [])
            // The same client id is somebody else the next time.
            _ = try await TestClient(port: hub.port, connect: legacy)
        }
    }

    @Test("Who is removed leaves no retained message and no session, and others keep theirs")
    func removed() async throws {
        try await RunningListener.with { hub in
            var gone = try await TestClient(port: hub.port, connect: persistent("a", "device 1"))
            var stays = try await TestClient(port: hub.port, connect: persistent("a", "device 2"))
            try await gone.publish("gone/1", "1", retain: true)
            try await gone.publish("gone/2", "2", retain: true)
            try await gone.settle()
            try await stays.publish("stays", "3", retain: true)
            try await stays.settle()
            let recorded = try await hub.onLoop { delegate in
                delegate.recorded = []
                delegate.outlet?.remove(.device(id: "1"))
                return delegate.recorded
            }
            #expect(
                recorded == [
                    .ended(MQTTSessionKey(principal: .device(id: "1"), clientID: "a")), .unretained(topic: "gone/1"),
                    .unretained(topic: "gone/2"),
                ])
            #expect(await gone.readToEnd() == [])
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("#")
            #expect(try await watcher.next() == TestClient.publish("stays", "3", retain: true))
            try await watcher.settle()
        }
    }

    @Test(
        "One token has so many connections and no more: the one that was silent longest gives way, and others are not held up"
    )
    func connectionsOfOne() async throws {
        var limits = RunningListener.unhurried
        limits.connectionsPerPrincipal = 2
        try await RunningListener.with(limits: limits) { hub in
            // Both with keep-alive 0: nothing ends a connection whose device has lost its network.
            var first = try await TestClient(port: hub.port, connect: Connect(clientID: "a", userName: "device 1"))
            var second = try await TestClient(port: hub.port, connect: Connect(clientID: "b", userName: "device 1"))
            try await second.settle()
            try await first.settle()
            var third = try await TestClient(port: hub.port, connect: Connect(clientID: "c", userName: "device 1"))
            try await third.settle()
            #expect(await second.readToEnd() == [])
            try await hub.until { $0.departed == [.device(id: "1")] && $0.yielded == [.device(id: "1")] }
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "c", userName: "device 2"))
            try await other.settle()
            try await first.settle()
        }
    }

    @Test("Whose right has ended is disconnected")
    func disconnected() async throws {
        try await RunningListener.with { hub in
            var gone = try await TestClient(port: hub.port, connect: Connect(clientID: "a", userName: "device 1"))
            var stays = try await TestClient(port: hub.port, connect: Connect(clientID: "a", userName: "device 2"))
            try await hub.onLoop { $0.outlet?.disconnect(.device(id: "1")) }
            #expect(await gone.readToEnd() == [])
            try await stays.settle()
        }
    }
}
