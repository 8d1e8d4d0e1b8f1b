import MQTT
import NIOCore
import Testing

@Suite("Delivery", .timeLimit(.minutes(1)))
struct DeliveryTests {
    @Test("A message reaches every subscriber, with wildcards, in the order of publishing [MQTT-4.6.0-6]")
    func fanOut() async throws {
        try await RunningListener.with { hub in
            var one = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            var two = try await TestClient(port: hub.port, connect: Connect(clientID: "2"))
            try await one.subscribe("a/#")
            try await two.subscribe("+/b", .atLeastOnce)
            let publisher = try await TestClient(port: hub.port, connect: Connect(clientID: "p"))
            for number in 1...50 { try await publisher.publish("a/b", "\(number)", id: UInt16(number)) }
            for number in 1...50 {
                #expect(try await one.next() == TestClient.publish("a/b", "\(number)"))
                #expect(try await two.next() == TestClient.publish("a/b", "\(number)", id: UInt16(number)))
            }
        }
    }

    @Test("A crowd that is written to while it is delivered to gets each message once, in order [MQTT-4.6.0-6]")
    func crowd() async throws {
        try await RunningListener.with { hub in
            var crowd: [TestClient] = []
            // More than are written to together, and the publisher among them: it goes on reading only afterwards.
            for number in 0..<150 {
                var client = try await TestClient(port: hub.port, connect: Connect(clientID: "\(number)"))
                try await client.subscribe("t", number % 2 == 0 ? .atMostOnce : .atLeastOnce)
                crowd.append(client)
            }
            for number in 1...20 { try await crowd[75].publish("t", "\(number)", id: UInt16(number)) }
            for index in crowd.indices {
                for number in 1...20 {
                    var packet = try await crowd[index].next()
                    while case .puback = packet { packet = try await crowd[index].next() }
                    let id = index % 2 == 0 ? nil : UInt16(number)
                    #expect(packet == TestClient.publish("t", "\(number)", id: id))
                }
            }
        }
    }

    @Test("Who subscribes, leaves or goes between two messages of one topic is heeded at once")
    func changingReceivers() async throws {
        try await RunningListener.with { hub in
            var publisher = try await TestClient(port: hub.port, connect: Connect(clientID: "p"))
            var reader = try await TestClient(port: hub.port, connect: Connect(clientID: "r"))
            try await publisher.publish("t", "nobody listens")
            try await publisher.settle()
            try await reader.subscribe("t")
            try await publisher.publish("t", "heard")
            #expect(try await reader.next() == TestClient.publish("t", "heard"))
            try await reader.send(.unsubscribe(Unsubscribe(packetID: 2, filters: [try TopicFilter("t")])))
            #expect(try await reader.next() == .unsuback(packetID: 2))
            try await publisher.publish("t", "not heard")
            try await publisher.settle()
            try await reader.settle()
            try await reader.subscribe("t")
            try await reader.vanish()
            try await hub.until { $0.departed.count == 1 }
            // May lie where the reader's session lay.
            var next = try await TestClient(port: hub.port, connect: Connect(clientID: "n"))
            try await publisher.publish("t", "for nobody")
            try await publisher.settle()
            try await next.settle()
        }
    }

    @Test("What the delegate keeps to itself is not relayed")
    func notRelayed() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            try await client.subscribe("#")
            try await client.publish("private/x", "1", id: 3, retain: true)
            #expect(try await client.next() == .puback(packetID: 3))
            try await client.settle()
            #expect(try await hub.onLoop { $0.recorded } == [])
        }
    }

    @Test("The delegate publishes too")
    func outlet() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            try await client.subscribe("tandem/+/errors", .atLeastOnce)
            try await hub.publish("tandem/d/errors", "what was wrong", .atLeastOnce)
            #expect(try await client.next() == TestClient.publish("tandem/d/errors", "what was wrong", id: 1))
            try await hub.publish("tandem/d/+", "invalid")
            #expect(hub.log.text.contains("invalid topic"))
        }
    }

    @Test("A topic is delivered only to who may receive it")
    func receiveRight() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { delegate in
                delegate.isForbidden = { _, access, topic in access == .receive && topic.hasSuffix("secret") }
            }
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            try await client.subscribe("#")
            try await client.publish("a/secret", "1")
            try await client.publish("a/public", "2")
            #expect(try await client.next() == TestClient.publish("a/public", "2"))
        }
    }

    @Test("A subscriber that does not read costs a bounded number of messages; what it loses is counted")
    func slowSubscriber() async throws {
        var limits = Limits()
        limits.queuedMessages = 5
        limits.outputBytes = 16_384
        try await RunningListener.with(limits: limits) { hub in
            let slow = try await TestClient(port: hub.port, connect: Connect(clientID: "slow"), reads: false)
            let filter = Subscribe.Subscription(filter: try TopicFilter("t"), qualityOfService: .atMostOnce)
            try await slow.send(.subscribe(Subscribe(packetID: 1, subscriptions: [filter])))
            var quick = try await TestClient(port: hub.port, connect: Connect(clientID: "quick"))
            try await quick.subscribe("t")
            let payload = String(repeating: "x", count: 100_000)
            // 50 MB: far more than the kernel's buffers and the limits together.
            for _ in 0..<500 {
                try await quick.publish("t", payload)
                guard case .publish = try await quick.next() else {
                    Issue.record("The quick subscriber lost a message")
                    return
                }
            }
            let statistics = try await hub.statistics
            #expect(statistics.received == 500)
            #expect(statistics.dropped > 300)
            #expect(statistics.sent + statistics.dropped <= 1_000)
            #expect(statistics.sent + statistics.dropped >= 1_000 - limits.queuedMessages)
            try await slow.vanish()
        }
    }

    @Test("A slow subscriber that reads on gets what waited, in order")
    func catchUp() async throws {
        var limits = Limits()
        limits.outputBytes = 16_384
        limits.queuedMessages = 100_000
        limits.queuedBytes = 1 << 30
        try await RunningListener.with(limits: limits) { hub in
            var slow = try await TestClient(port: hub.port, connect: Connect(clientID: "slow"), reads: false)
            let filter = Subscribe.Subscription(filter: try TopicFilter("t"), qualityOfService: .atMostOnce)
            try await slow.send(.subscribe(Subscribe(packetID: 1, subscriptions: [filter])))
            try await hub.until { $0.outlet?.statistics.connections == 1 }
            let tail = String(repeating: "x", count: 10_000)
            let publisher = try await TestClient(port: hub.port, connect: Connect(clientID: "p"))
            for number in 0..<1_500 { try await publisher.publish("t", "\(number) \(tail)") }
            try await hub.until { $0.received.count == 1_500 }
            #expect(try await hub.statistics.sent < 1_500, "Some had to wait.")
            try await slow.channel.setOption(.autoRead, value: true).get()
            #expect(try await slow.next() == .connack(sessionPresent: false, .accepted))
            #expect(try await slow.next() == .suback(packetID: 1, [.success]))
            for number in 0..<1_500 {
                guard case .publish(let publish) = try await slow.next() else {
                    Issue.record("Message \(number) did not come")
                    return
                }
                #expect(String(buffer: publish.payload).hasPrefix("\(number) "))
            }
            #expect(try await hub.statistics.dropped == 0)
        }
    }

    @Test("A client that asks and never reads is not read from either, until it reads again")
    func deafClient() async throws {
        var limits = Limits()
        limits.outputBytes = 16_384
        try await RunningListener.with(limits: limits) { hub in
            try await hub.publish("big", String(repeating: "x", count: 100_000), retain: true)
            let deaf = try await TestClient(port: hub.port, connect: Connect(clientID: "deaf"), reads: false)
            let filter = Subscribe.Subscription(filter: try TopicFilter("big"), qualityOfService: .atMostOnce)
            for _ in 0..<300 { try await deaf.send(.subscribe(Subscribe(packetID: 1, subscriptions: [filter]))) }
            // 30 MB are owed to it: more than the kernel's buffers take.
            var sent = -1
            while try await hub.statistics.sent != sent {
                sent = try await hub.statistics.sent
                for _ in 0..<100 { try await hub.onLoop { _ in } }
            }
            #expect(sent < 300)
            try await deaf.publish("late", "1")
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "other"))
            for _ in 0..<20 { try await other.settle() }
            #expect(try await hub.onLoop { $0.received } == [])
            try await deaf.channel.setOption(.autoRead, value: true).get()
            try await hub.until { $0.received == [.init(topic: "late", payload: "1")] }
        }
    }
}
