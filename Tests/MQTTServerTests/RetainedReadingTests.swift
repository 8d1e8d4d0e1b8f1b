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
            try await hub.onLoop { host in
                host.holdsCommits = false
                host.finishCommits(failing: true)
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

    @Test("What the host only handed on is no repetition however often it comes, and is stored as not read")
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
