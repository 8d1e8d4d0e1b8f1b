import MQTT
import NIOCore
import Testing

/// What MQTT 5.0 adds, over a socket. What one client sees alone is in `Cases/conversations.txt`.
@Suite("MQTT 5.0", .timeLimit(.minutes(2)))
struct Version5Tests {
    private func connect(
        _ clientID: String, isClean: Bool = true, expirySeconds: UInt32 = 0, will: Will? = nil,
        _ change: (inout ConnectProperties) -> Void = { _ in }
    ) -> Connect {
        var properties = ConnectProperties()
        properties.sessionExpirySeconds = expirySeconds
        change(&properties)
        return Connect(
            clientID: clientID, isCleanSession: isClean, will: will, version: .v5, properties: properties)
    }

    private func publish(
        _ topic: String, _ payload: String, _ quality: QualityOfService = .atMostOnce, id: UInt16? = nil,
        retain: Bool = false, expirySeconds: UInt32? = nil
    ) -> Packet {
        .publish(
            Publish(
                topic: ByteBuffer(string: topic), payload: ByteBuffer(string: payload), packetID: id,
                qualityOfService: quality, retain: retain,
                properties: PublishProperties(expirySeconds: expirySeconds)))
    }

    @Test("A message of QoS 2 is taken once, and delivered once, with all four packets [MQTT-4.3.3-1]")
    func exactlyOnce() async throws {
        try await RunningListener.with { hub in
            var subscriber = try await TestClient(port: hub.port, connect: connect("s"))
            try await subscriber.subscribe("t", .exactlyOnce)
            var publisher = try await TestClient(port: hub.port, connect: Connect(clientID: "p"))
            try await publisher.send(publish("t", "1", .exactlyOnce, id: 9))
            #expect(try await publisher.next() == .pubrec(packetID: 9))
            try await publisher.send(publish("t", "1", .exactlyOnce, id: 9), .pubrel(packetID: 9))
            #expect(try await publisher.next() == .pubrec(packetID: 9))
            #expect(try await publisher.next() == .pubcomp(packetID: 9))
            #expect(try await hub.onLoop { $0.received.count } == 1)
            let delivered = try await subscriber.nextPublish()
            #expect(delivered.qualityOfService == .exactlyOnce)
            let id = try #require(delivered.packetID)
            try await subscriber.send(.pubrec(packetID: id))
            #expect(try await subscriber.next() == .pubrel(packetID: id))
            try await subscriber.send(.pubcomp(packetID: id))
            try await subscriber.settle()
        }
    }

    @Test("Who left between PUBREC and PUBCOMP is sent PUBREL and not the message again [MQTT-4.4.0-1]")
    func releaseAgain() async throws {
        try await RunningListener.with { hub in
            var first = try await TestClient(port: hub.port, connect: connect("s", expirySeconds: 60))
            try await first.subscribe("t", .exactlyOnce)
            try await hub.publish("t", "1", .exactlyOnce)
            let id = try #require(try await first.nextPublish().packetID)
            try await first.send(.pubrec(packetID: id))
            #expect(try await first.next() == .pubrel(packetID: id))
            try await first.vanish()
            try await hub.until { !$0.departed.isEmpty }
            var second = try await TestClient(
                port: hub.port, connect: connect("s", isClean: false, expirySeconds: 60), sessionPresent: true)
            #expect(try await second.next() == .pubrel(packetID: id))
            try await second.send(.pubcomp(packetID: id))
            try await second.settle()
            let changes = try await hub.onLoop { $0.recorded.suffix(1) }
            #expect(Array(changes) == [.delivered(MQTTSessionKey(principal: .open, clientID: "s"), sequence: 1)])
        }
    }

    @Test("A session lives for as long as its client asked for, and DISCONNECT may change that [MQTT-3.1.2-23]")
    func sessionExpiry() async throws {
        try await RunningListener.with { hub in
            let first = try await TestClient(port: hub.port, connect: connect("s", expirySeconds: 60))
            try await first.send(.disconnect(Disconnect(sessionExpirySeconds: 10)))
            try await hub.until { !$0.departed.isEmpty }
            try await hub.onLoop { $0.time += 9_000 }
            _ = try await TestClient(
                port: hub.port, connect: connect("s", isClean: false, expirySeconds: 10), sessionPresent: true
            ).vanish()
            try await hub.until { $0.departed.count == 2 }
            try await hub.onLoop { $0.time += 10_000 }
            try await hub.until { $0.recorded.contains(.ended(MQTTSessionKey(principal: .open, clientID: "s"))) }
            _ = try await TestClient(
                port: hub.port, connect: connect("s", isClean: false), sessionPresent: false)
        }
    }

    @Test("A session that ends with its connection cannot be given a longer life by DISCONNECT")
    func laterExpiry() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s"))
            try await client.send(.disconnect(Disconnect(sessionExpirySeconds: 10)))
            guard case .disconnect(let said)? = try await client.next() else { throw TestClient.Closed() }
            #expect(said.reason == .protocolError)
        }
    }

    @Test("A will waits for its delay, and is not published where its client has come back [MQTT-3.1.3-9]")
    func willDelay() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: connect("w"))
            try await watcher.subscribe("gone", .atMostOnce)
            let will = Will(topic: try TopicName("gone"), payload: [0x31], delaySeconds: 5)
            try await TestClient(port: hub.port, connect: connect("s", expirySeconds: 60, will: will)).vanish()
            try await hub.until { !$0.departed.isEmpty }
            let back = try await TestClient(
                port: hub.port, connect: connect("s", isClean: false, expirySeconds: 60, will: will),
                sessionPresent: true)
            try await hub.onLoop { $0.time += 6_000 }
            try await watcher.settle()
            try await back.vanish()
            try await hub.until { $0.departed.count == 2 }
            try await hub.onLoop { $0.time += 6_000 }
            #expect(try await watcher.nextPublish().topic == ByteBuffer(string: "gone"))
        }
    }

    @Test("DISCONNECT with reason 4 publishes the will")
    func disconnectWithWill() async throws {
        try await RunningListener.with { hub in
            var watcher = try await TestClient(port: hub.port, connect: connect("w"))
            try await watcher.subscribe("gone", .atMostOnce)
            let will = Will(topic: try TopicName("gone"), payload: [0x31])
            let client = try await TestClient(port: hub.port, connect: connect("s", will: will))
            try await client.send(.disconnect(Disconnect(.disconnectWithWill)))
            #expect(try await watcher.nextPublish().topic == ByteBuffer(string: "gone"))
        }
    }

    @Test("A message that has expired is not delivered, and one that has not says how long is left [MQTT-3.3.2-6]")
    func messageExpiry() async throws {
        try await RunningListener.with { hub in
            var first = try await TestClient(port: hub.port, connect: connect("s", expirySeconds: 600))
            try await first.subscribe("t", .atLeastOnce)
            try await first.vanish()
            try await hub.until { !$0.departed.isEmpty }
            var publisher = try await TestClient(port: hub.port, connect: connect("p"))
            try await publisher.send(
                publish("t", "short", .atLeastOnce, id: 1, expirySeconds: 5),
                publish("t", "long", .atLeastOnce, id: 2, retain: true, expirySeconds: 60))
            #expect(try await publisher.next() == .puback(packetID: 1))
            #expect(try await publisher.next() == .puback(packetID: 2))
            try await hub.onLoop { $0.time += 20_000 }
            var second = try await TestClient(
                port: hub.port, connect: connect("s", isClean: false, expirySeconds: 600), sessionPresent: true)
            let delivered = try await second.nextPublish()
            #expect(String(buffer: delivered.payload) == "long")
            #expect(delivered.properties?.expirySeconds == 40)
            try await hub.onLoop { $0.time += 50_000 }
            try await hub.until { $0.recorded.contains(.unretained(topic: "t")) }
        }
    }

    @Test("Of those who share a subscription each message goes to one, in turn; retained ones to none [MQTT-4.8.2-4]")
    func shared() async throws {
        try await RunningListener.with { hub in
            try await hub.publish("t", "old", .atMostOnce, retain: true)
            var members: [TestClient] = []
            for name in ["a", "b"] {
                var member = try await TestClient(port: hub.port, connect: connect(name))
                try await member.subscribe("$share/g/t", .atLeastOnce)
                members.append(member)
            }
            for number in 1...4 { try await hub.publish("t", "\(number)", .atLeastOnce) }
            var payloads: [[String]] = []
            for index in members.indices {
                var own: [String] = []
                for _ in 0..<2 { own.append(String(buffer: try await members[index].nextPublish().payload)) }
                try await members[index].settle()
                payloads.append(own)
            }
            #expect(Set(payloads.flatMap(\.self)) == ["1", "2", "3", "4"])
        }
    }

    @Test("No more is on its way than the client's receive maximum allows [MQTT-3.3.4-9]")
    func receiveMaximumOfClient() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s") { $0.receiveMaximum = 1 })
            try await client.subscribe("t", .atLeastOnce)
            for number in 1...2 { try await hub.publish("t", "\(number)", .atLeastOnce) }
            #expect(String(buffer: try await client.nextPublish().payload) == "1")
            try await client.settle()
            try await client.send(.puback(packetID: 1))
            #expect(String(buffer: try await client.nextPublish().payload) == "2")
        }
    }

    @Test("Who has more on its way than the server's receive maximum is told 0x93, and closed")
    func receiveMaximumOfServer() async throws {
        var limits = RunningListener.unhurried
        limits.receiveMaximum = 2
        try await RunningListener.with(limits: limits) { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s"))
            for id in 1...3 as ClosedRange<UInt16> { try await client.send(publish("t", "x", .exactlyOnce, id: id)) }
            #expect(try await client.next() == .pubrec(packetID: 1))
            #expect(try await client.next() == .pubrec(packetID: 2))
            guard case .disconnect(let said)? = try await client.next() else { throw TestClient.Closed() }
            #expect(said.reason == .receiveMaximumExceeded)
            #expect(try await client.next() == nil)
        }
    }

    @Test("A packet longer than the client takes is not sent, and the next is [MQTT-3.1.2-25]")
    func maximumPacketSize() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s") { $0.maximumPacketBytes = 40 })
            try await client.subscribe("t", .atLeastOnce)
            try await hub.publish("t", String(repeating: "x", count: 60), .atLeastOnce)
            try await hub.publish("t", "short", .atLeastOnce)
            #expect(String(buffer: try await client.nextPublish().payload) == "short")
        }
    }

    @Test("Who publishes to a topic that is not its own is told 0x87, and stays")
    func foreignTopic() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: connect("s"))
            try await client.send(publish("foreign/t", "x", .atLeastOnce, id: 5))
            guard case .puback(let refusal)? = try await client.next() else { throw TestClient.Closed() }
            #expect(refusal.reason == .notAuthorized)
            try await client.settle()
        }
    }

    @Test("Another connection with the same client identifier takes over, and the first is told 0x8E [MQTT-3.1.4-3]")
    func takeOver() async throws {
        try await RunningListener.with { hub in
            var first = try await TestClient(port: hub.port, connect: connect("s"))
            _ = try await TestClient(port: hub.port, connect: connect("s"))
            guard case .disconnect(let said)? = try await first.next() else { throw TestClient.Closed() }
            #expect(said.reason == .sessionTakenOver)
        }
    }

    @Test(
        "What was taken before a violation is acknowledged before the connection closes", arguments: [4, 5] as [UInt8])
    func acknowledgedBeforeViolation(level: UInt8) async throws {
        try await RunningListener.with { hub in
            let version = try #require(ProtocolVersion(rawValue: level))
            var client = try await TestClient(
                port: hub.port, connect: version == .v5 ? connect("s") : Connect(clientID: "s"))
            var bytes = ByteBuffer()
            publish("t", "x", .atLeastOnce, id: 5).write(into: &bytes, version: version)
            bytes.writeBytes([0x36, 0])
            try await client.send(bytes: Array(buffer: bytes))
            #expect(try await client.next() == .puback(packetID: 5))
            if version == .v5 {
                guard case .disconnect(let said)? = try await client.next() else { throw TestClient.Closed() }
                #expect(said.reason == .malformedPacket)
            }
            #expect(try await client.next() == nil)
        }
    }

    @Test("A subscription that is there already is sent no retained messages where it asks for none [MQTT-3.3.1-10]")
    func retainHandling() async throws {
        try await RunningListener.with { hub in
            try await hub.publish("t", "kept", .atMostOnce, retain: true)
            var client = try await TestClient(port: hub.port, connect: connect("s"))
            var options = SubscriptionOptions(qualityOfService: .atMostOnce)
            options.retainHandling = .doNotSend
            try await client.subscribe("t", options)
            try await client.settle()
            options.retainHandling = .sendIfNew
            try await client.subscribe("t", options)
            try await client.settle()
            options.retainHandling = .send
            try await client.subscribe("t", options)
            #expect(try await client.nextPublish().retain)
        }
    }
}
