import MQTT
import NIOCore
import Testing

@Suite("One client beside another", .timeLimit(.minutes(1)))
struct FairnessTests {
    /// Retained messages that were stored before, of several publishers.
    private static let stored = (0..<5_000).map { number in
        StoredChange.retained(
            StoredMessage(
                topic: "t/\(number)", payload: Array("x".utf8), qualityOfService: .atMostOnce,
                publisher: .device(id: "\(number % 7)")))
    }

    private static func flood(packets: Int, filters: Int) throws -> ByteBuffer {
        let filter = try TopicFilter("#")
        var bytes = ByteBuffer()
        for id in 1...packets {
            Packet.subscribe(
                Subscribe(
                    packetID: UInt16(id),
                    subscriptions: Array(
                        repeating: .init(filter: filter, qualityOfService: .atMostOnce), count: filters))
            ).write(into: &bytes)
        }
        return bytes
    }

    @Test("A client that floods SUBSCRIBE is served in turns, and others are answered in between")
    func floodOfSubscribe() async throws {
        try await RunningListener.with(stored: Self.stored) { hub in
            var others: [TestClient] = []
            for number in 0..<5 {
                others.append(try await TestClient(port: hub.port, connect: Connect(clientID: "o\(number)")))
            }
            let flooder = try await TestClient(port: hub.port, connect: Connect(clientID: "f"), reads: false)
            // Two hundred packets of a hundred filters: as much as its sockets take at once.
            flooder.channel.writeAndFlush(try Self.flood(packets: 200, filters: 100), promise: nil)
            try await hub.until { $0.subscriptions > 0 }
            for index in others.indices { try await others[index].settle() }
            let seen = try await hub.onLoop { $0.subscriptions }
            #expect(seen < 20_000, "others were answered before all of it was done")
            try await flooder.vanish()
        }
    }

    @Test("Twenty that flood SUBSCRIBE hold up neither a PUBLISH and its PUBACK nor the end of the listener")
    func twentyFlooders() async throws {
        var limits = RunningListener.unhurried
        limits.shutdownTime = .milliseconds(500)
        try await RunningListener.with(limits: limits, stored: Self.stored) { hub in
            let flood = try Self.flood(packets: 100, filters: 100)
            var flooders: [TestClient] = []
            for number in 0..<20 {
                let client = try await TestClient(
                    port: hub.port, connect: Connect(clientID: "f\(number)"), reads: false)
                client.channel.writeAndFlush(flood, promise: nil)
                flooders.append(client)
            }
            var honest = try await TestClient(port: hub.port, connect: Connect(clientID: "honest"))
            for number in 1...50 {
                try await honest.publish("t", "\(number)", id: UInt16(number))
                #expect(try await honest.next() == .puback(packetID: UInt16(number)))
            }
            await hub.trigger()
            #expect(await honest.readToEnd() == [])
            for client in flooders { try? await client.vanish() }
        }
    }

    @Test("A replay that takes many turns arrives whole, in order, and others are answered meanwhile")
    func longReplay() async throws {
        var limits = RunningListener.unhurried
        limits.workPerTurn = 32
        try await RunningListener.with(limits: limits, stored: Self.stored) { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await client.subscribe("#")
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "b"))
            try await other.settle()
            var topics: [String] = []
            for _ in 0..<5_000 {
                guard case .publish(let publish)? = try await client.next() else { break }
                topics.append(String(buffer: publish.topic))
            }
            #expect(topics == (0..<5_000).map { "t/\($0)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    @Test("What a client sent before it went is done to its end, in its turns, and then its DISCONNECT")
    func goneWithWorkLeft() async throws {
        var limits = RunningListener.unhurried
        limits.workPerTurn = 8
        try await RunningListener.with(limits: limits) { hub in
            let will = Will(
                topic: try TopicName("status"), payload: Array("gone".utf8), qualityOfService: .atMostOnce,
                retain: false)
            let client = try await TestClient(
                port: hub.port, connect: Connect(clientID: "a", will: will, userName: "device 1"))
            var bytes = ByteBuffer()
            for number in 0..<500 { TestClient.publish("t", "\(number)").write(into: &bytes) }
            Packet.disconnect().write(into: &bytes)
            try await client.channel.writeAndFlush(bytes)
            try await client.vanish()
            try await hub.until { $0.departed == [.device(id: "1")] }
            #expect(try await hub.onLoop { $0.received.map(\.payload) } == (0..<500).map { "\($0)" }, "and no will")
        }
    }

    @Test("More filters than the limit in one packet close the connection")
    func tooManyFilters() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            try await client.channel.writeAndFlush(try Self.flood(packets: 1, filters: 257))
            #expect(await client.readToEnd() == [])
            #expect(hub.log.text.contains("more topic filters"))
        }
    }

    @Test("A client without a keep-alive that takes nothing of what is sent is closed after its time")
    func takesNothing() async throws {
        var limits = RunningListener.unhurried
        limits.writeTime = .milliseconds(500)
        try await RunningListener.with(limits: limits) { hub in
            let client = try await TestClient(
                port: hub.port, connect: Connect(clientID: "a", keepAliveSeconds: 0, userName: "device 1"), reads: false
            )
            let filter = Subscribe.Subscription(filter: try TopicFilter("t"), qualityOfService: .atMostOnce)
            try await client.send(.subscribe(Subscribe(packetID: 1, subscriptions: [filter])))
            let payload = String(repeating: "x", count: 100_000)
            for _ in 0..<100 { try await hub.publish("t", payload) }
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "b", keepAliveSeconds: 0))
            try await hub.until { $0.departed == [.device(id: "1")] }
            #expect(hub.log.text.contains("took nothing"))
            try await other.settle()
            try? await client.vanish()
        }
    }
}
