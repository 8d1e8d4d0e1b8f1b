import MQTT
import NIOCore
import Testing

@Suite("The rules of a connection")
struct ConnectionMachineTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func machine(_ limits: Limits = Limits()) -> ConnectionMachine {
        ConnectionMachine(connection: 7, limits: limits, now: start)
    }

    private func connected(
        _ connect: Connect = Connect(clientID: "a"), as principal: Principal = .open
    ) throws -> ConnectionMachine {
        var machine = machine()
        _ = try machine.receive(.connect(connect), at: start)
        _ = machine.accept(principal, at: start)
        return machine
    }

    @Test(
        "The first packet must be CONNECT [MQTT-3.1.0-1]",
        arguments: [Packet.pingreq, .disconnect(), .puback(packetID: 1)])
    func connectFirst(_ packet: Packet) {
        var machine = machine()
        let error = #expect(throws: ProtocolViolation.self) { try machine.receive(packet, at: start) }
        #expect(error?.clause == "MQTT-3.1.0-1")
    }

    @Test("A second CONNECT is a violation [MQTT-3.1.0-2]")
    func connectOnce() throws {
        var machine = try connected()
        let again = Packet.connect(Connect(clientID: "a"))
        let error = #expect(throws: ProtocolViolation.self) { try machine.receive(again, at: start) }
        #expect(error?.clause == "MQTT-3.1.0-2")
    }

    @Test("Another protocol level is refused with 1 [MQTT-3.1.2-2]")
    func otherLevel() throws {
        var machine = machine()
        #expect(try machine.receiveUnsupportedProtocolLevel(6) == .refuse(.unsupportedProtocolVersion))
    }

    @Test("An empty client id needs a clean session, else 2 [MQTT-3.1.3-8]")
    func emptyID() throws {
        var machine = machine()
        let connect = Connect(clientID: "", isCleanSession: false)
        #expect(try machine.receive(.connect(connect), at: start) == .refuse(.clientIdentifierNotValid))
    }

    @Test("An empty client id stands for one that no client can send [MQTT-3.1.3-6]")
    func assignedID() throws {
        var machine = machine()
        _ = try machine.receive(.connect(Connect(clientID: "")), at: start)
        let accepted = machine.accept(.open, at: start)
        let opening = try #require(accepted)
        #expect(opening.key.clientID == "\0" + "7")
        #expect(!opening.isPersistent)
    }

    @Test("A client id above the limit is refused with 2, one at the limit is not")
    func longID() throws {
        var limits = Limits()
        limits.clientIDBytes = 23
        for (length, isRefused) in [(23, false), (24, true)] {
            var machine = machine(limits)
            let connect = Connect(clientID: String(repeating: "x", count: length))
            let action = try machine.receive(.connect(connect), at: start)
            #expect((action == .refuse(.clientIdentifierNotValid)) == isRefused)
        }
    }

    @Test(
        "A client that only servers' packets come from is closed",
        arguments: [
            Packet.connack(sessionPresent: false, .accepted), .suback(packetID: 1, []), .unsuback(packetID: 1),
            .pingresp, .auth,
        ])
    func wrongDirection(_ packet: Packet) throws {
        var machine = try connected()
        #expect(throws: ProtocolViolation.self) { try machine.receive(packet, at: start) }
    }

    @Test("DISCONNECT discards the will [MQTT-3.1.2-10], anything else leaves it")
    func will() throws {
        let will = Will(topic: try TopicName("t"), payload: [1])
        var left = try connected(Connect(clientID: "a", will: will))
        #expect(try left.receive(.disconnect(), at: start) == .disconnect(sessionExpirySeconds: nil))
        #expect(left.close() == nil)
        var lost = try connected(Connect(clientID: "a", will: will))
        #expect(lost.close() == will)
        #expect(lost.close() == nil, "A will is published once.")
    }

    @Test("A connection that was never accepted has no will")
    func refusedWill() throws {
        var machine = machine()
        let will = Will(topic: try TopicName("t"), payload: [1])
        _ = try machine.receive(.connect(Connect(clientID: "a", will: will)), at: start)
        #expect(machine.close() == nil)
        #expect(machine.accept(.open, at: start) == nil)
    }

    @Test("A legacy client gets neither will nor persistent session, and is let in all the same")
    func legacy() throws {
        var machine = machine()
        let will = Will(topic: try TopicName("t"), payload: [1])
        _ = try machine.receive(.connect(Connect(clientID: "a", isCleanSession: false, will: will)), at: start)
        let accepted = machine.accept(.legacy(connection: 7), at: start)
        let opening = try #require(accepted)
        #expect(!opening.isPersistent)
        #expect(machine.close() == nil)
        #expect(!Principal.legacy(connection: 7).policy.mayRetain)
        #expect(Principal.device(id: "d").policy.mayRetain)
    }

    @Test("Silence of one and a half keep-alives is the limit [MQTT-3.1.2-24]")
    func keepAlive() throws {
        var machine = try connected(Connect(clientID: "a", keepAliveSeconds: 10))
        #expect(machine.overdue(at: start + .seconds(15)) == nil)
        #expect(machine.overdue(at: start + .milliseconds(15_001))?.clause == "MQTT-3.1.2-24")
        #expect(try machine.receive(.pingreq, at: start + .seconds(15)) == .pong)
        #expect(machine.overdue(at: start + .seconds(30)) == nil)
        machine.excuse(at: start + .seconds(40))
        #expect(machine.overdue(at: start + .seconds(55)) == nil)
    }

    @Test("A keep-alive of 0 turns the limit off")
    func noKeepAlive() throws {
        let machine = try connected(Connect(clientID: "a", keepAliveSeconds: 0))
        #expect(machine.overdue(at: start + .hours(1_000)) == nil)
    }

    @Test("A CONNECT must come within its time limit, and is not hurried while it is looked into")
    func connectTime() throws {
        var machine = machine()
        #expect(machine.overdue(at: start + .seconds(10)) == nil)
        #expect(machine.overdue(at: start + .milliseconds(10_001)) != nil)
        _ = try machine.receive(.connect(Connect(clientID: "a")), at: start)
        #expect(machine.isAuthenticating)
        #expect(machine.overdue(at: start + .seconds(60)) == nil)
    }

    @Test("Before CONNECT only small packets are taken")
    func packetLimit() throws {
        var limits = Limits()
        limits.connectBytes = 100
        limits.packetBytes = 1_000
        var machine = machine(limits)
        #expect(machine.packetLimit == 100)
        _ = try machine.receive(.connect(Connect(clientID: "a")), at: start)
        _ = machine.accept(.open, at: start)
        #expect(machine.packetLimit == 1_000)
    }
}
