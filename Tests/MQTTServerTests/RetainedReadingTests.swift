import MQTT
import NIOCore
import Testing

/// What is acknowledged is not lost [MQTT-4.3.2-2]: a retained message is a repetition only of one whose reading is stored.
@Suite("The readings of retained messages", .timeLimit(.minutes(1)))
struct RetainedReadingTests {
    /// A program's connection, which publishes what it has kept.
    private func program(_ hub: RunningListener) async throws -> TestClient {
        try await TestClient(
            port: hub.port, connect: Connect(clientID: "house", userName: "integration house", password: []))
    }

    @Test("What went down with its commit is read when another connection publishes it again, and then is a repetition")
    func failedCommit() async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { $0.holdsCommits = true }
            var first = try await program(hub)
            try await first.publish("a/b", "41.5", id: 1, retain: true)
            try await hub.until { $0.isCommitting }
            try await hub.onLoop { delegate in
                delegate.holdsCommits = false
                delegate.finishCommits(failing: true)
            }
            #expect(await first.readToEnd() == [])
            for _ in 0..<2 {
                var next = try await program(hub)
                try await next.publish("a/b", "41.5", id: 1, retain: true)
                #expect(try await next.next() == .puback(packetID: 1))
                try await next.vanish()
            }
            #expect(try await hub.onLoop { $0.received.map(\.repetition) } == [.none, .none, .again])
        }
    }

    /// As mosquitto 2.0.11 sends it, taken down from its bridge with 3.1.1 and 5.0: 41.5 was kept when it connected.
    static let bridges: [(name: String, sent: [String], told: [Repetition])] = [
        ("it comes behind what was measured", ["42", "42", "41.5"], [.none, .again, .overtaken]),
        ("it comes between", ["42", "41.5", "42"], [.none, .overtaken, .again]),
        ("it comes before and behind", ["41.5", "42", "41.5", "42"], [.again, .none, .overtaken, .again]),
        ("two were measured", ["42", "43", "41.5"], [.none, .none, .overtaken]),
        // Measured while the hub was away, and told twice more because it is kept.
        (
            "the last that was measured is the same", ["42", "41.5", "41.5", "41.5"],
            [.none, .overtaken, .none, .again]
        ),
        ("a bridge that is left alone", ["41.5", "41.5"], [.again, .again]),
    ]

    @Test(
        "What a bridge has kept is no reading once, in whichever order it comes with what is measured",
        arguments: bridges)
    func overtaken(name: String, sent: [String], told: [Repetition]) async throws {
        try await RunningListener.with { hub in
            var before = try await program(hub)
            try await before.publish("a/b", "41.5", id: 1, retain: true)
            #expect(try await before.next() == .puback(packetID: 1))
            try await before.vanish()
            var bridge = try await program(hub)
            for (number, payload) in sent.enumerated() {
                try await bridge.publish("a/b", payload, id: UInt16(number + 1), retain: true)
                #expect(try await bridge.next() == .puback(packetID: UInt16(number + 1)))
            }
            #expect(try await hub.onLoop { $0.received.dropFirst().map(\.repetition) } == told, "\(name)")
            // Who comes now is told the newest, as the bridge keeps it.
            let newest = Array(zip(sent, told)).last { $0.1 != .overtaken }?.0
            var listener = try await TestClient(
                port: hub.port, connect: Connect(clientID: "l", userName: "integration l", password: []))
            try await listener.subscribe("a/b")
            #expect(String(buffer: try await listener.nextPublish().payload) == newest)
        }
    }

    @Test("What the delegate only handed on is no repetition however often it comes, and is stored as not read")
    func handedOn() async throws {
        try await RunningListener.with { hub in
            for _ in 0..<2 {
                var client = try await program(hub)
                try await client.publish("passed/b", "closed", id: 1, retain: true)
                #expect(try await client.next() == .puback(packetID: 1))
                try await client.vanish()
            }
            #expect(try await hub.onLoop { $0.received.map(\.repetition) } == [.none, .none])
            let kept = StoredMessage(
                topic: "passed/b", payload: Array("closed".utf8), qualityOfService: .atLeastOnce,
                publisher: .integration(id: "house"))
            #expect(try await hub.onLoop { $0.recorded } == [.retained(kept), .retained(kept)])
        }
    }
}
