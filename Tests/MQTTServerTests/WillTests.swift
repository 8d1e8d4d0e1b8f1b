import MQTT
import NIOCore
import Testing

/// Wills of sessions that outlive the hub, MQTT 5.0, sections 3.1.2.5 and 3.1.3.2.2.
@Suite("Wills that outlive the hub", .timeLimit(.minutes(1)))
struct WillTests {
    private static let key = MQTTSessionKey(principal: .open, clientID: "s")

    private func will(delaySeconds: UInt32) throws -> Will {
        Will(
            topic: try TopicName("gone"), payload: [0x31], qualityOfService: .atLeastOnce, delaySeconds: delaySeconds,
            properties: PublishProperties(expirySeconds: 90))
    }

    private func connect(_ clientID: String, isClean: Bool = false, will: Will? = nil) -> Connect {
        var properties = ConnectProperties()
        properties.sessionExpirySeconds = 600
        return Connect(clientID: clientID, isCleanSession: isClean, will: will, version: .v5, properties: properties)
    }

    /// Of `changes` those of wills.
    private func ofWills(_ changes: [StoredChange]) -> [StoredChange] {
        changes.filter {
            switch $0 {
            case .will, .willSettled: true
            default: false
            }
        }
    }

    @Test("A will is stored before CONNACK, and forgotten after a goodbye [MQTT-3.1.2-7], [MQTT-3.1.2-10]")
    func stored() async throws {
        let will = try will(delaySeconds: 5)
        try await RunningListener.with { hub in
            let client = try await TestClient(port: hub.port, connect: connect("s", will: will))
            #expect(ofWills(try await hub.onLoop { $0.recorded }) == [.will(Self.key, will, dueAt: nil)])
            try await client.send(.disconnect())
            try await hub.until { !$0.departed.isEmpty }
            #expect(ofWills(try await hub.onLoop { $0.recorded }).last == .willSettled(Self.key))
        }
    }

    @Test("When a delayed will is due is stored as its client goes [MQTT-3.1.3-9]")
    func departure() async throws {
        let will = try will(delaySeconds: 5)
        try await RunningListener.with { hub in
            try await TestClient(port: hub.port, connect: connect("s", will: will)).vanish()
            try await hub.until { !$0.departed.isEmpty }
            let dueAt = try await hub.onLoop { $0.time } + 5_000
            #expect(ofWills(try await hub.onLoop { $0.recorded }).last == .will(Self.key, will, dueAt: dueAt))
        }
    }

    @Test(
        "A hub that was killed publishes a will when its time comes, of who left before and of who was there [MQTT-3.1.3-9]"
    )
    func afterKill() async throws {
        let time: Int64 = 1_795_000_000_000
        let other = MQTTSessionKey(principal: .open, clientID: "there")
        let stored: [StoredChange] = [
            .opened(Self.key), .expiry(Self.key, seconds: 600, departedAt: time - 3_000),
            .will(Self.key, try will(delaySeconds: 5), dueAt: time + 2_000),
            .opened(other), .expiry(other, seconds: 600, departedAt: nil),
            .will(other, try will(delaySeconds: 5), dueAt: nil),
        ]
        try await RunningListener.with(stored: stored) { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w", version: .v5))
            try await watcher.subscribe("gone", .atLeastOnce)
            try await hub.onLoop { $0.time += 2_000 }
            let first = try await watcher.nextPublish()
            #expect(first.properties?.expirySeconds == 90)
            #expect(ofWills(try await hub.onLoop { $0.recorded }) == [.willSettled(Self.key)])
            try await watcher.settle()
            try await hub.onLoop { $0.time += 3_000 }
            _ = try await watcher.nextPublish()
            #expect(ofWills(try await hub.onLoop { $0.recorded }).last == .willSettled(other))
        }
    }

    @Test("Who comes back after the hub was killed, in time, has no will published; who begins anew has [MQTT-3.1.3-9]")
    func returnAfterKill() async throws {
        let time: Int64 = 1_795_000_000_000
        let other = MQTTSessionKey(principal: .open, clientID: "anew")
        var stored: [StoredChange] = []
        for key in [Self.key, other] {
            stored += [
                .opened(key), .expiry(key, seconds: 600, departedAt: time),
                .will(key, try will(delaySeconds: 5), dueAt: time + 5_000),
            ]
        }
        try await RunningListener.with(stored: stored) { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w", version: .v5))
            try await watcher.subscribe("gone", .atLeastOnce)
            _ = try await TestClient(port: hub.port, connect: connect("s"), sessionPresent: true)
            try await hub.onLoop { $0.time += 6_000 }
            // Due as well, and the first: what is published to the watcher is the other one's.
            _ = try await TestClient(port: hub.port, connect: connect("anew", isClean: true))
            _ = try await watcher.nextPublish()
            try await watcher.settle()
        }
    }

    @Test("A will that waits is not published by a graceful shutdown, but kept for the next run, section 3.1.2.5")
    func shutdown() async throws {
        let will = try will(delaySeconds: 5)
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s", will: will))
            await hub.trigger()
            while try await client.next() != nil {}
            try await hub.until { !$0.departed.isEmpty }
            let (recorded, received) = try await hub.onLoop { ($0.recorded, $0.received) }
            #expect(received == [])
            guard case .will(_, _, .some)? = ofWills(recorded).last else {
                Issue.record("The will is not kept: \(recorded)")
                return
            }
        }
    }

    @Test(
        "A session that gives way to another of its principal has its will published, since it has ended [MQTT-3.1.2-8]"
    )
    func crowdedOut() async throws {
        var limits = RunningListener.unhurried
        limits.persistentSessionsPerPrincipal = 1
        let will = try will(delaySeconds: 300)
        try await RunningListener.with(limits: limits) { hub in
            var watcher = try await TestClient(port: hub.port, connect: Connect(clientID: "w", version: .v5))
            try await watcher.subscribe("gone", .atLeastOnce)
            try await TestClient(port: hub.port, connect: connect("s", will: will)).vanish()
            try await hub.until { !$0.departed.isEmpty }
            _ = try await TestClient(port: hub.port, connect: connect("other"))
            _ = try await watcher.nextPublish()
        }
    }

    @Test(
        "A message of QoS 2 leaves for a session that outlives the hub once it is stored, others at once [MQTT-4.3.3-10]"
    )
    func exactlyOnceAfterCommit() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s"))
            try await client.subscribe("twice/#", .exactlyOnce)
            try await hub.onLoop { $0.holdsCommits = true }
            try await hub.publish("twice/2", "2", .exactlyOnce)
            try await hub.publish("twice/1", "1", .atLeastOnce)
            #expect(String(buffer: try await client.nextPublish().payload) == "1")
            try await hub.onLoop { delegate in
                delegate.holdsCommits = false
                delegate.finishCommits()
            }
            #expect(String(buffer: try await client.nextPublish().payload) == "2")
        }
    }
}
