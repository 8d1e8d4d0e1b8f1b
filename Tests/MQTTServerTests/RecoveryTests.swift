import MQTT
import NIOCore
import Testing

/// What a client that lost its connection sends again, and what a commit that failed leaves behind.
@Suite("After a break", .timeLimit(.minutes(1)))
struct RecoveryTests {
    private func connect(_ clientID: String) -> Connect {
        var properties = ConnectProperties()
        properties.sessionExpirySeconds = 600
        return Connect(clientID: clientID, isCleanSession: false, version: .v5, properties: properties)
    }

    private func publish(_ payload: String, id: UInt16, topic: String = "t", isDuplicate: Bool = false) -> Packet {
        .publish(
            Publish(
                topic: ByteBuffer(string: topic), payload: ByteBuffer(string: payload), packetID: id,
                qualityOfService: .exactlyOnce, isDuplicate: isDuplicate))
    }

    /// A client that has sent message 7, lost its connection and is back, with nothing released.
    private func clientAfterBreak(_ hub: RunningListener) async throws -> TestClient {
        var client = try await TestClient(port: hub.port, connect: connect("s"))
        try await client.send(publish("1", id: 7))
        #expect(try await client.next() == .pubrec(packetID: 7))
        try await client.vanish()
        try await hub.until { !$0.departed.isEmpty }
        return try await TestClient(port: hub.port, connect: connect("s"), sessionPresent: true)
    }

    @Test("What is sent again after a break does not count twice against the receive maximum [MQTT-4.4.0-1]")
    func receiveMaximumOfWhatIsSentAgain() async throws {
        var limits = RunningListener.unhurried
        limits.receiveMaximum = 1
        try await RunningListener.with(limits: limits) { hub in
            var client = try await clientAfterBreak(hub)
            try await client.send(publish("1", id: 7, isDuplicate: true))
            #expect(try await client.next() == .pubrec(packetID: 7))
            // It counts once, and until it is released.
            try await client.send(publish("2", id: 8))
            guard case .disconnect(let said)? = try await client.next() else { throw TestClient.Closed() }
            #expect(said.reason == .receiveMaximumExceeded)
            #expect(try await hub.onLoop { $0.received.count } == 1)
        }
    }

    @Test(
        "The receive maximum is one connection's: what another brought and is to release leaves it whole, section 4.9")
    func receiveMaximumOfConnection() async throws {
        var limits = RunningListener.unhurried
        limits.receiveMaximum = 1
        try await RunningListener.with(limits: limits) { hub in
            var client = try await clientAfterBreak(hub)
            try await client.send(publish("2", id: 8))
            #expect(try await client.next() == .pubrec(packetID: 8))
            for id in [7, 8] as [UInt16] {
                try await client.send(.pubrel(packetID: id))
                #expect(try await client.next() == .pubcomp(packetID: id))
            }
        }
    }

    private let key = MQTTSessionKey(principal: .open, clientID: "s")

    /// What is stored of the packet id of message 7, which is sent into a commit that fails, and again after the break.
    private func changesOfFailedCommit(topic: String, _ hub: RunningListener) async throws -> [StoredChange] {
        var client = try await TestClient(port: hub.port, connect: connect("s"))
        try await hub.onLoop { $0.holdsCommits = true }
        try await client.send(publish("1", id: 7, topic: topic))
        try await hub.until { $0.isCommitting }
        try await hub.onLoop { delegate in
            delegate.holdsCommits = false
            delegate.finishCommits(failing: true)
        }
        #expect(try await client.next() == nil)
        client = try await TestClient(port: hub.port, connect: connect("s"), sessionPresent: true)
        try await client.send(publish("1", id: 7, topic: topic, isDuplicate: true))
        #expect(try await client.next() == .pubrec(packetID: 7))
        return try await hub.onLoop { $0.recorded }.filter {
            $0 == .received(key, packetID: 7) || $0 == .completed(key, packetID: 7)
        }
    }

    @Test("A message of QoS 2 whose commit failed is stored when it comes again, and handed on once [MQTT-4.3.3-10]")
    func failedCommit() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("t", .exactlyOnce)
            let taken = try await changesOfFailedCommit(topic: "t", hub)
            let received = try await hub.onLoop { $0.received }
            #expect(received == [.init(topic: "t", payload: "1"), .init(topic: "t", payload: "1")])
            #expect(taken == [.received(key, packetID: 7), .completed(key, packetID: 7), .received(key, packetID: 7)])
            #expect(String(buffer: try await watcher.nextPublish().payload) == "1")
            try await watcher.settle()
        }
    }

    @Test("What is only handed on keeps its packet id where a commit failed, or a restart would hand it on twice")
    func failedCommitOfPassed() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w"))
            try await watcher.subscribe("passed/t", .exactlyOnce)
            let taken = try await changesOfFailedCommit(topic: "passed/t", hub)
            #expect(taken == [.received(key, packetID: 7)])
            #expect(String(buffer: try await watcher.nextPublish().payload) == "1")
            try await watcher.settle()
        }
    }

    @Test("Who took over a session while its commit failed is not told PUBREC of what was not stored [MQTT-4.3.3-10]")
    func failedCommitAfterTakeOver() async throws {
        try await RunningListener.with { hub in
            // In MQTT 3.1.1, which the bytes of a client that does not wait for CONNACK are of.
            let connect = Connect(clientID: "s", isCleanSession: false)
            let client = try await TestClient(port: hub.port, connect: connect)
            try await hub.onLoop { $0.holdsCommits = true }
            try await client.send(publish("1", id: 7))
            try await hub.until { $0.isCommitting }
            var next = try await TestClient(port: hub.port)
            try await next.send(.connect(connect), publish("1", id: 7, isDuplicate: true))
            try await hub.until { $0.departed.count == 1 }
            try await hub.onLoop { delegate in
                delegate.finishCommits(failing: true)
                delegate.holdsCommits = false
                delegate.finishCommits()
            }
            #expect(await next.readToEnd() == [0x20, 2, 1, 0], "CONNACK, and no PUBREC")
        }
    }

    @Test("Nothing overtakes a SUBACK that waits for the second of two commits under way")
    func subackOfSecondCommit() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a", isCleanSession: false))
            try await hub.onLoop { $0.holdsCommits = true }
            try await client.publish("other", "1", id: 7)
            try await hub.until { $0.isCommitting }
            let filter = Subscribe.Subscription(filter: try TopicFilter("t"), qualityOfService: .atMostOnce)
            try await client.send(.subscribe(Subscribe(packetID: 5, subscriptions: [filter])))
            try await hub.until { $0.subscribed == ["t"] }
            try await hub.publish("t", "later")
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .puback(packetID: 7))
            try await hub.onLoop { $0.finishCommits() }
            #expect(try await client.next() == .suback(packetID: 5, [.success]))
            #expect(try await client.next() == TestClient.publish("t", "later"))
        }
    }

    @Test("A client that is not read from, since it does not read, is not closed for its silence [MQTT-3.1.2-24]")
    func silenceOfTheServer() async throws {
        var limits = RunningListener.unhurried
        limits.writeTime = .seconds(3)
        limits.retainedBytesPerPrincipal = 16_777_216
        try await RunningListener.with(limits: limits) { hub in
            let payload = String(repeating: "x", count: 100_000)
            for number in 0..<100 { try await hub.publish("t/\(number)", payload, retain: true) }
            // Its keep-alive ends after one and a half seconds, the server's patience with its reading after three.
            let client = try await TestClient(port: hub.port, reads: false)
            let filter = Subscribe.Subscription(filter: try TopicFilter("t/+"), qualityOfService: .atMostOnce)
            try await client.send(
                .connect(Connect(clientID: "a", keepAliveSeconds: 1)),
                .subscribe(Subscribe(packetID: 1, subscriptions: [filter])), .pingreq)
            try await hub.until { !$0.departed.isEmpty }
            let losses = try await hub.statistics.losses
            #expect(losses[.keepAlive] == 0)
            #expect(losses[.noReader] == 1)
            try? await client.vanish()
        }
    }
}
