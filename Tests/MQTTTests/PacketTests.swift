import MQTT
import NIOCore
import Testing

@Suite("Packets")
struct PacketTests {
    /// A remaining length that the case files take as the limit.
    static let limit = 262_144

    /// Decodes, and validates the topic of a PUBLISH, which the decoder leaves to the caller.
    static func decode(
        _ bytes: inout ByteBuffer, version: ProtocolVersion = .v311
    ) throws(ProtocolViolation) -> Packet.Decoded {
        let decoded = try Packet.decode(from: &bytes, maximumLength: limit, version: version)
        if case .packet(.publish(let publish)) = decoded, publish.properties?.topicAlias == nil {
            _ = try TopicName(bytes: publish.topic)
        }
        return decoded
    }

    @Test("Bytes are read as the standard says", arguments: try PacketCase.all())
    func reads(_ example: PacketCase) throws {
        var bytes = ByteBuffer(bytes: example.bytes)
        do throws(ProtocolViolation) {
            switch try Self.decode(&bytes, version: example.version) {
            case .packet(let packet):
                var written = ByteBuffer()
                packet.write(into: &written, version: example.version)
                #expect(example.expectation == .packet(packet.words, writtenAs: Array(buffer: written)))
                #expect(bytes.readableBytes == 0)
            case .incomplete:
                #expect(example.expectation == .incomplete)
                #expect(bytes.readableBytes == example.bytes.count, "Nothing is read of an incomplete packet.")
            case .unsupportedProtocolLevel: #expect(example.expectation == .otherLevel)
            }
        } catch {
            #expect(example.expectation == .violation(clause: error.clause), "\(error)")
        }
    }

    @Test("A packet cut short anywhere is incomplete, never wrong", arguments: try PacketCase.all())
    func truncated(_ example: PacketCase) throws {
        guard case .packet = example.expectation else { return }
        for count in 0..<example.bytes.count {
            var bytes = ByteBuffer(bytes: example.bytes.prefix(count))
            #expect(try Packet.decode(from: &bytes, maximumLength: Self.limit, version: example.version) == .incomplete)
            #expect(bytes.readableBytes == count)
        }
    }

    @Test("Topic and payload of a PUBLISH are slices of what was read: nothing is copied")
    func slices() throws {
        var bytes = ByteBuffer(bytes: [0x30, 4, 0, 1, 0x61, 0x31])
        let base = bytes.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        guard case .packet(.publish(let publish)) = try Packet.decode(from: &bytes, maximumLength: 100) else {
            Issue.record("No PUBLISH")
            return
        }
        #expect(publish.topic.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } == base + 4)
        #expect(publish.payload.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } == base + 5)
    }

    @Test("Several packets in one buffer are read one after the other")
    func sequence() throws {
        var bytes = ByteBuffer(bytes: [0xC0, 0, 0x40, 2, 0, 7, 0xE0, 0, 0x30])
        #expect(try Packet.decode(from: &bytes, maximumLength: 100) == .packet(.pingreq))
        #expect(try Packet.decode(from: &bytes, maximumLength: 100) == .packet(.puback(packetID: 7)))
        #expect(try Packet.decode(from: &bytes, maximumLength: 100) == .packet(.disconnect()))
        #expect(try Packet.decode(from: &bytes, maximumLength: 100) == .incomplete)
        #expect(bytes.readableBytes == 1)
    }

    @Test(
        "The remaining length has the forms of table 2.4",
        arguments: [0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])
    func remainingLength(_ length: Int) throws {
        let table = [
            0: "00", 127: "7f", 128: "8001", 16_383: "ff7f", 16_384: "808001", 2_097_151: "ffff7f",
            2_097_152: "80808001",
        ]
        let payload = ByteBuffer(repeating: 0x31, count: max(0, length - 3))
        var bytes = ByteBuffer()
        guard length >= 3 else {
            Packet.pingreq.write(into: &bytes)
            #expect(hex(bytes.readableBytesView.dropFirst()) == table[length])
            return
        }
        Packet.publish(Publish(topic: ByteBuffer(string: "a"), payload: payload)).write(into: &bytes)
        let digits = bytes.readableBytes - 1 - length
        #expect(hex(bytes.readableBytesView.dropFirst().prefix(digits)) == table[length])
        guard case .packet(.publish(let publish)) = try Packet.decode(from: &bytes, maximumLength: length) else {
            Issue.record("No PUBLISH")
            return
        }
        #expect(publish.payload == payload)
    }

    @Test("Every violation names its clause and says what is wrong")
    func description() {
        var bytes = ByteBuffer(bytes: [0x36, 6, 0, 1, 0x61, 0, 1, 0x31])
        let error = #expect(throws: ProtocolViolation.self) { try Self.decode(&bytes) }
        #expect(error?.description == "A PUBLISH must not have both QoS bits set. [MQTT-3.3.1-4]")
    }
}
