import MQTT
import NIOCore
import Testing

@Suite("Who may connect, and how many", .timeLimit(.minutes(1)))
struct AdmissionTests {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = RunningListener.unhurried
        change(&limits)
        return limits
    }

    @Test("Of connections that say nothing the one that has waited longest goes for a new one; clients stay")
    func silent() async throws {
        try await RunningListener.with(limits: limits { $0.halfOpenConnectionsPerAddress = 3 }) { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "client"))
            var silent: [TestClient] = []
            for _ in 0..<3 { silent.append(try await TestClient(port: hub.port)) }
            var late = try await TestClient(port: hub.port)
            #expect(await silent[0].readToEnd() == [])
            try await late.send(.connect(Connect(clientID: "late")))
            #expect(try await late.next() == .connack(sessionPresent: false, .accepted))
            // Its place is free again.
            try await silent[1].send(.connect(Connect(clientID: "slow")))
            #expect(try await silent[1].next() == .connack(sessionPresent: false, .accepted))
            try await client.settle()
        }
    }

    @Test("Shared addresses are held to the total of the half-open alone")
    func silentOfAll() async throws {
        let few = limits {
            $0.halfOpenConnections = 3
            $0.halfOpenConnectionsPerAddress = 1
        }
        try await RunningListener.with(limits: few, isShared: true) { hub in
            var silent: [TestClient] = []
            for _ in 0..<4 { silent.append(try await TestClient(port: hub.port)) }
            #expect(await silent[0].readToEnd() == [])
            for index in 1..<4 {
                try await silent[index].send(.connect(Connect(clientID: "\(index)")))
                #expect(try await silent[index].next() == .connack(sessionPresent: false, .accepted))
            }
        }
    }

    @Test(
        "A crowd that comes at once waits for its turn, and nobody who is about to sign in is closed for the next one")
    func crowdAtOnce() async throws {
        let few = limits {
            $0.halfOpenConnections = 32
            $0.halfOpenConnectionsPerAddress = 16
            $0.acceptingPausesAt = 4
            $0.acceptingPause = .seconds(120)
        }
        try await RunningListener.with(limits: few) { hub in
            var crowd: [TestClient] = []
            for _ in 0..<100 { crowd.append(try await TestClient(port: hub.port)) }
            for index in crowd.indices {
                try await crowd[index].send(.connect(Connect(clientID: "\(index)")))
                #expect(try await crowd[index].next() == .connack(sessionPresent: false, .accepted))
            }
        }
    }

    @Test("Connections that say nothing keep others waiting only so long")
    func silentCrowd() async throws {
        let few = limits {
            $0.acceptingPausesAt = 2
            $0.acceptingPause = .milliseconds(100)
        }
        try await RunningListener.with(limits: few) { hub in
            var silent: [TestClient] = []
            for _ in 0..<20 { silent.append(try await TestClient(port: hub.port)) }
            var late = try await TestClient(port: hub.port)
            try await late.send(.connect(Connect(clientID: "late")))
            #expect(try await late.next() == .connack(sessionPresent: false, .accepted))
            for client in silent { try? await client.vanish() }
        }
    }

    @Test("While it is found out who a client is, it does not give way: the newest does")
    func examined() async throws {
        try await RunningListener.with(limits: limits { $0.halfOpenConnectionsPerAddress = 1 }) { hub in
            var client = try await TestClient(port: hub.port)
            try await client.send(.connect(Connect(clientID: "a", userName: "wait")))
            try await hub.until { $0.attempts.count == 1 }
            var late = try await TestClient(port: hub.port)
            #expect(await late.readToEnd() == [])
            try await hub.onLoop { $0.admitWaiting() }
            #expect(try await client.next() == .connack(sessionPresent: false, .accepted))
        }
    }

    @Test("So many clients of one address are let in, and a place is free when one has gone", arguments: [true, false])
    func clientsPerAddress(isShared: Bool) async throws {
        try await RunningListener.with(limits: limits { $0.connectionsPerAddress = 1 }, isShared: isShared) { hub in
            var first = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
            var second = try await TestClient(port: hub.port)
            try await second.send(.connect(Connect(clientID: "2")))
            #expect(
                try await second.next() == .connack(sessionPresent: false, isShared ? .accepted : .serverUnavailable))
            // Who comes back takes over its own place.
            if !isShared {
                var again = try await TestClient(port: hub.port, connect: Connect(clientID: "1"))
                #expect(await first.readToEnd() == [])
                try await again.send(.disconnect())
                #expect(await again.readToEnd() == [])
                _ = try await TestClient(port: hub.port, connect: Connect(clientID: "3"))
            }
        }
    }

    @Test("A crowd of connections without CONNECT leaves nothing behind")
    func crowd() async throws {
        try await RunningListener.with(limits: limits { $0.halfOpenConnectionsPerAddress = 4 }) { hub in
            for round in 0..<3 {
                var silent: [TestClient] = []
                for _ in 0..<40 { silent.append(try await TestClient(port: hub.port)) }
                for client in silent { try? await client.vanish() }
                _ = try await TestClient(port: hub.port, connect: Connect(clientID: "\(round)"))
            }
            #expect(try await hub.statistics.sessions <= 3)
        }
    }

    @Test("The delegate is given whether the endpoint lets in clients without a name", arguments: [true, false])
    func anonymous(allowsAnonymous: Bool) async throws {
        try await RunningListener.with(allowsAnonymous: allowsAnonymous) { hub in
            _ = try await TestClient(port: hub.port, connect: Connect(clientID: "a"))
            #expect(try await hub.onLoop { $0.attempts.map(\.allowsAnonymous) } == [allowsAnonymous])
        }
    }
}
