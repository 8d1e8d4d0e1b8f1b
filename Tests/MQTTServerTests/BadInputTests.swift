import MQTT
import NIOCore
import Testing

/// What the issue's section on bad input asks of packets: each is closed, logged, and acknowledges nothing.
@Suite("Bad packets", .timeLimit(.minutes(1)))
struct BadInputTests {
    /// Sends `bytes` as a connected client, and expects the connection to end without another byte.
    private func expectClosed(after bytes: [UInt8], logging clause: String) async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port, connect: Connect(clientID: "bad"))
            try await client.send(bytes: bytes)
            #expect(await client.readToEnd() == [])
            #expect(hub.log.text.contains(clause), "\(hub.log.text)")
            #expect(try await hub.onLoop { $0.received } == [])
            #expect(try await hub.onLoop { $0.departed } == [.open])
            // The listener goes on.
            var other = try await TestClient(port: hub.port, connect: Connect(clientID: "good"))
            try await other.publish("t", "1", id: 1)
            #expect(try await other.next() == .puback(packetID: 1))
        }
    }

    @Test("A malformed packet closes the connection [MQTT-3.3.1-4]")
    func malformed() async throws {
        try await expectClosed(after: [0x36, 6, 0, 1, 0x61, 0, 1, 0x31], logging: "MQTT-3.3.1-4")
    }

    @Test("A packet whose fields end before their time closes the connection")
    func truncatedField() async throws {
        try await expectClosed(after: [0x32, 4, 0, 9, 0x61, 0x31], logging: "2.2.3")
    }

    @Test("A client that goes in the middle of a packet is gone, and its half packet with it")
    func truncatedByEnd() async throws {
        try await RunningListener.with { hub in
            let client = try await TestClient(port: hub.port, connect: Connect(clientID: "bad"))
            try await client.send(bytes: [0x32, 100, 0, 1, 0x61, 0, 1])
            try await client.vanish()
            try await hub.until { $0.departed == [.open] }
            #expect(try await hub.onLoop { $0.received } == [])
        }
    }

    @Test("A packet that comes byte by byte is put together")
    func slowPacket() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port)
            var bytes = ByteBuffer()
            Packet.connect(Connect(clientID: "slow")).write(into: &bytes)
            TestClient.publish("a/b", "hello", id: 9).write(into: &bytes)
            for byte in bytes.readableBytesView { try await client.send(bytes: [byte]) }
            #expect(try await client.next() == .connack(sessionPresent: false, .accepted))
            #expect(try await client.next() == .puback(packetID: 9))
            #expect(try await hub.onLoop { $0.received } == [.init(topic: "a/b", payload: "hello")])
        }
    }

    @Test("A packet above the limit is refused by its header, before its bytes have come")
    func oversized() async throws {
        try await expectClosed(after: [0x30, 0x81, 0x80, 0x10], logging: "larger than this server's limit")
    }

    @Test("A remaining length of five bytes closes the connection")
    func endlessLength() async throws {
        try await expectClosed(after: [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], logging: "2.2.3")
    }

    @Test("Before CONNECT even less is taken")
    func oversizedConnect() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port)
            try await client.send(bytes: [0x10, 0xFF, 0xFF, 0x03])
            #expect(await client.readToEnd() == [])
            #expect(hub.log.text.contains("larger than this server's limit"))
        }
    }

    @Test("Invalid UTF-8 in a topic closes the connection [MQTT-1.5.3-1]")
    func invalidText() async throws {
        try await expectClosed(after: [0x32, 7, 0, 2, 0xC3, 0x28, 0, 1, 0x31], logging: "MQTT-1.5.3-1")
    }

    @Test("U+0000 in a topic closes the connection [MQTT-1.5.3-2]")
    func nullInText() async throws {
        try await expectClosed(after: [0x32, 7, 0, 2, 0x61, 0, 0, 1, 0x31], logging: "MQTT-1.5.3-2")
    }

    @Test("A wildcard in a PUBLISH closes the connection [MQTT-3.3.2-2]", arguments: ["#", "+"])
    func wildcard(_ wildcard: String) async throws {
        let byte = try #require(wildcard.utf8.first)
        try await expectClosed(after: [0x32, 8, 0, 3, 0x61, 0x2F, byte, 0, 1, 0x31], logging: "MQTT-3.3.2-2")
    }

    @Test("A second CONNECT closes the connection [MQTT-3.1.0-2]")
    func secondConnect() async throws {
        var bytes = ByteBuffer()
        Packet.connect(Connect(clientID: "bad")).write(into: &bytes)
        try await expectClosed(after: Array(buffer: bytes), logging: "MQTT-3.1.0-2")
    }

    @Test("A misplaced wildcard in a SUBSCRIBE closes the connection [MQTT-4.7.1-2]")
    func badFilter() async throws {
        try await expectClosed(after: [0x82, 8, 0, 1, 0, 3, 0x61, 0x23, 0x62, 0], logging: "MQTT-4.7.1-2")
    }

    @Test("A packet before CONNECT closes the connection [MQTT-3.1.0-1]")
    func packetBeforeConnect() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port)
            try await client.publish("t", "1", id: 1)
            #expect(await client.readToEnd() == [])
            #expect(hub.log.text.contains("MQTT-3.1.0-1"))
            #expect(try await hub.onLoop { $0.received } == [])
        }
    }

    @Test("Something else than MQTT closes the connection")
    func otherProtocol() async throws {
        try await RunningListener.with { hub in
            var client = try await TestClient(port: hub.port)
            try await client.send(bytes: Array("GET / HTTP/1.1\r\nHost: tandem\r\n\r\n".utf8))
            #expect(await client.readToEnd() == [])
        }
    }

    @Test("A foreign topic is logged with device and topic, put aside, and what follows is taken")
    func foreign() async throws {
        try await RunningListener.with { hub in
            let connect = Connect(clientID: "bad", userName: "device d7")
            var client = try await TestClient(port: hub.port, connect: connect)
            try await client.publish("foreign/x\n", "1", id: 1)
            try await client.publish("foreign/y", "1", id: 2)
            try await client.publish("mine", "2", id: 3)
            for id in 1...3 as ClosedRange<UInt16> {
                #expect(try await client.next() == .puback(Acknowledgement(packetID: id)))
            }
            let log = hub.log.text
            #expect(log.contains("d7") && log.contains("foreign/x\\n"), "\(log)")
            #expect(try await hub.onLoop { $0.received.map(\.topic) } == ["mine"])
        }
    }

    @Test("Random bytes from a connected client never stop the listener")
    func fuzz() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("listener fuzz seed: \(seed)")
        var state = seed
        func next() -> UInt8 {  // xorshift64 (Marsaglia 2003).
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        try await RunningListener.with { hub in
            for _ in 0..<60 {
                let client = try await TestClient(port: hub.port)
                var bytes = ByteBuffer()
                Packet.connect(Connect(clientID: "fuzz", isCleanSession: next() < 128)).write(into: &bytes)
                for _ in 0..<20 {
                    switch next() % 4 {
                    case 0: TestClient.publish("a/b", "x", id: 5, retain: true).write(into: &bytes)
                    case 1: bytes.writeBytes([0x82, 6, 0, 1, 0, 1, 0x23, next() % 3])
                    case 2: Packet.puback(packetID: UInt16(next()) + 1).write(into: &bytes)
                    default: bytes.writeBytes((0..<Int(next() % 6)).map { _ in next() })
                    }
                }
                // The listener may close before all has been written.
                try? await client.channel.writeAndFlush(bytes)
                try? await client.vanish()
            }
            var last = try await TestClient(port: hub.port, connect: Connect(clientID: "last"))
            try await last.settle()
        }
    }
}
