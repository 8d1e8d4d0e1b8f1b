import MQTT
import NIOCore

extension FuzzTarget {
    static var mqtt: [FuzzTarget] {
        [
            FuzzTarget("mqtt-packets", dictionary: ["MQTT", "\\x04\\x02", "tandem/"], seeds: packetSeeds) {
                bytes throws(BrokenProperty) in try checkPackets(bytes)
            },
            FuzzTarget("mqtt-pieces", dictionary: ["MQTT"], seeds: packetSeeds.map { [7] + $0 }) {
                bytes throws(BrokenProperty) in try checkPieces(bytes)
            },
            FuzzTarget("mqtt-topics", longestInput: 512, dictionary: ["+/", "/#", "$SYS", "\\x0a"], seeds: topicSeeds) {
                bytes throws(BrokenProperty) in try checkTopics(bytes)
            },
            FuzzTarget("mqtt-broker", longestInput: 2_048, dictionary: ["a/b", "+", "#"], seeds: brokerSeeds) {
                bytes throws(BrokenProperty) in
                var broker = FuzzedBroker()
                try broker.play(bytes)
            },
        ]
    }

    /// One packet of each kind.
    private static var packetSeeds: [[UInt8]] {
        guard let topic = try? TopicName("tandem/fern/moisture"), let filter = try? TopicFilter("tandem/+/#") else {
            return []
        }
        let payload = ByteBuffer(string: "41.5")
        let packets: [Packet] = [
            .connect(
                Connect(
                    clientID: "fern", will: Will(topic: topic, payload: [0x30], qualityOfService: .atLeastOnce),
                    userName: "fern", password: [1, 2])),
            .connack(sessionPresent: true, .accepted),
            .publish(Publish(topic: topic.bytes, payload: payload, packetID: 1)),
            .publish(Publish(topic: topic.bytes, payload: payload, retain: true)),
            .puback(packetID: 1), .pubrec(packetID: 2), .pubrel(packetID: 3), .pubcomp(packetID: 4),
            .subscribe(
                Subscribe(packetID: 5, subscriptions: [.init(filter: filter, qualityOfService: .atLeastOnce)])),
            .suback(packetID: 5, [.grantedQoS1, .unspecifiedError]),
            .unsubscribe(Unsubscribe(packetID: 6, filters: [filter])),
            .unsuback(packetID: 6), .pingreq, .pingresp, .disconnect(),
        ]
        let each = packets.map { packet in
            var bytes = ByteBuffer()
            packet.write(into: &bytes)
            return Array(buffer: bytes)
        }
        return each + [each.flatMap { $0 }]
    }

    private static var topicSeeds: [[UInt8]] {
        ["a/b\na/b", "a/+\na/b", "#\na/b/c", "+/b/#\na/b", "$SYS/#\n$SYS/x", "#\n$SYS/x", "/+\n/a", "a//b\na//b"]
            .map { Array($0.utf8) }
    }

    /// What is read survives being written and read again, and nothing is read beyond the end.
    private static func checkPackets(_ input: [UInt8]) throws(BrokenProperty) {
        var bytes = ByteBuffer(bytes: input)
        while true {
            let before = bytes.readableBytes
            let decoded: Packet.Decoded
            do throws(ProtocolViolation) {
                decoded = try Packet.decode(from: &bytes, maximumLength: 1 << 20)
            } catch {
                return try require(!error.clause.isEmpty, "a violation names its clause")
            }
            guard case .packet(let packet) = decoded else { return }
            try require(bytes.readableBytes < before, "a packet takes bytes")
            var written = ByteBuffer()
            packet.write(into: &written)
            let again = try succeeds("what was written is read") { () throws(ProtocolViolation) in
                try Packet.decode(from: &written, maximumLength: 1 << 20)
            }
            try require(again == .packet(packet), "a packet is read as it was written")
            try require(written.readableBytes == 0, "a packet is read whole")
        }
    }

    /// How the network cuts the bytes changes nothing. The first byte of the input says into what pieces.
    private static func checkPieces(_ input: [UInt8]) throws(BrokenProperty) {
        guard let size = input.first else { return }
        let stream = Array(input.dropFirst())
        var whole = ByteBuffer(bytes: stream)
        let expected = decodeAll(&whole)
        var pieces = ByteBuffer()
        var outcome: [String] = []
        var start = 0
        while start < stream.count {
            let end = min(start + 1 + (Int(size) + start) % 13, stream.count)
            pieces.writeBytes(stream[start..<end])
            start = end
            let (packets, isOver) = decodeAll(&pieces)
            outcome += packets
            if isOver { break }
        }
        try require(outcome == expected.packets, "packets are the same in pieces: \(outcome) and \(expected.packets)")
    }

    private static func decodeAll(_ bytes: inout ByteBuffer) -> (packets: [String], isOver: Bool) {
        var packets: [String] = []
        while true {
            do throws(ProtocolViolation) {
                switch try Packet.decode(from: &bytes, maximumLength: 100_000) {
                case .packet(let packet): packets.append("\(packet)")
                case .incomplete: return (packets, false)
                case .unsupportedProtocolLevel: return (packets + ["another level"], true)
                }
            } catch {
                return (packets + [error.clause], true)
            }
        }
    }

    /// A filter, a line feed, a topic: the filter matches as section 4.7 says, and the broker finds who is to have it.
    private static func checkTopics(_ input: [UInt8]) throws(BrokenProperty) {
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let filter = try? TopicFilter(bytes: ByteBuffer(bytes: parts[0])) else { return }
        try require(Array(filter.description.utf8) == Array(parts[0]), "a filter keeps its bytes")
        guard let topic = try? TopicName(bytes: ByteBuffer(bytes: parts[1])) else { return }
        try require(Array(topic.description.utf8) == Array(parts[1]), "a topic keeps its bytes")
        let expected = matches(
            filter: parts[0].split(separator: 0x2F, omittingEmptySubsequences: false)[...],
            topic: parts[1].split(separator: 0x2F, omittingEmptySubsequences: false)[...],
            isReserved: parts[1].first == UInt8(ascii: "$"))
        try require(filter.matches(topic) == expected, "a filter matches what section 4.7 says")
        try require(filter.covers(filter), "a filter covers itself")

        var broker = Broker(limits: Limits())
        let key = MQTTSessionKey(principal: .device(id: "fern"), clientID: "fern")
        guard let session = broker.open(key, isPersistent: false)?.session,
            broker.subscribe(session, to: filter, .atLeastOnce) != nil
        else { return }
        try require(broker.routes(for: topic).isEmpty == !expected, "the broker's tree finds what matches")
        _ = broker.unsubscribe(session, from: filter)
        try require(broker.routes(for: topic).isEmpty, "who has left receives nothing")
    }

    /// Section 4.7 word by word, slowly.
    private static func matches(
        filter: ArraySlice<ArraySlice<UInt8>>, topic: ArraySlice<ArraySlice<UInt8>>, isReserved: Bool
    ) -> Bool {
        guard let level = filter.first else { return topic.isEmpty }
        if level.elementsEqual("#".utf8) { return !isReserved }
        guard let name = topic.first else { return false }
        guard level.elementsEqual("+".utf8) ? !isReserved : level == name else { return false }
        return matches(filter: filter.dropFirst(), topic: topic.dropFirst(), isReserved: false)
    }
}
