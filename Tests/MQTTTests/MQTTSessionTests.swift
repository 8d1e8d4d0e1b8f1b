import MQTT
import NIOCore
import TestInstruments
import Testing

@Suite("MQTT sessions")
struct MQTTSessionTests {
    private func broker(_ change: (inout Limits) -> Void = { _ in }) -> Broker {
        var limits = Limits()
        change(&limits)
        return Broker(limits: limits)
    }

    @Test("What was not acknowledged is sent again with its packet id and DUP, in order [MQTT-4.4.0-1], [MQTT-4.6.0-1]")
    func resend() throws {
        var broker = broker()
        let id = try broker.connect("a", isPersistent: true)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        var sequences: [UInt64] = []
        for number in 1...4 {
            guard case .send(let sequence?) = try broker.publish(StoredMessage("t", "\(number)"))[id] else {
                Issue.record("Message \(number) was not sent")
                return
            }
            sequences.append(sequence)
        }
        #expect(sequences.map(MQTTSession.packetID(for:)) == [1, 2, 3, 4])
        _ = broker.acknowledge(id, packetID: 2)
        _ = broker.leave(id)
        try broker.publish(StoredMessage("t", "5"))
        #expect(broker.drain(id).isEmpty == false)
        _ = broker.leave(id)
        let again = try broker.connect("a", isPersistent: true)
        let deliveries = broker.drain(again)
        #expect(deliveries.map(\.message.text) == ["1", "3", "4", "5"])
        #expect(deliveries.map(\.packetID) == [1, 3, 4, 5])
        #expect(deliveries.map(\.isDuplicate) == [true, true, true, true])
    }

    @Test("What waited while the client was away is sent the first time without DUP [MQTT-3.3.1-1]")
    func queuedWhileAway() throws {
        var broker = broker()
        let id = try broker.connect("a", isPersistent: true)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        _ = broker.leave(id)
        try broker.publish(StoredMessage("t", "1"))
        let offer = try broker.publish(StoredMessage("t", "gone", .atMostOnce))[id]
        #expect(offer == .skipped, "QoS 0 is not kept for who is away.")
        #expect(try broker.connect("a", isPersistent: true) == id)
        let deliveries = broker.drain(id)
        #expect(deliveries.map(\.message.text) == ["1"])
        #expect(deliveries.map(\.isDuplicate) == [false])
    }

    @Test("No more than the limit is on its way; the next follows an acknowledgement, in order")
    func window() throws {
        var broker = broker { $0.messagesInFlight = 2 }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        for number in 1...4 { try broker.publish(StoredMessage("t", "\(number)")) }
        #expect(broker.drain(id).isEmpty)
        _ = broker.acknowledge(id, packetID: 1)
        #expect(broker.drain(id).map(\.message.text) == ["3"])
        _ = broker.acknowledge(id, packetID: 2)
        _ = broker.acknowledge(id, packetID: 3)
        #expect(broker.drain(id).map(\.message.text) == ["4"])
        #expect(broker.acknowledge(id, packetID: 99) == nil, "An unknown packet id is not an error.")
    }

    @Test("What a session keeps until it is acknowledged has so many bytes, but one message always may go")
    func windowInBytes() throws {
        var broker = broker { $0.queuedBytes = 2_000 }
        let id = try broker.connect("a", isPersistent: true)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .exactlyOnce)
        let large = String(repeating: "x", count: 2_500)
        #expect(try broker.publish(StoredMessage("t", large, .exactlyOnce))[id] == .send(sequence: 1))
        let small = String(repeating: "y", count: 900)
        #expect(try broker.publish(StoredMessage("t", small, .exactlyOnce))[id] == .queued(sequence: 2))
        #expect(broker.drain(id).isEmpty)
        // The client has it: what is kept is no more than that.
        _ = broker.release(id, packetID: 1)
        #expect(broker.drain(id).map(\.packetID) == [2])
        #expect(try broker.publish(StoredMessage("t", small, .exactlyOnce))[id] == .send(sequence: 3))
        #expect(try broker.publish(StoredMessage("t", small, .exactlyOnce))[id] == .queued(sequence: 4))
        _ = broker.acknowledge(id, packetID: 2)
        #expect(broker.drain(id).map(\.packetID) == [4])
        // Nothing is held for a session that ends with its connection.
        let other = try broker.connect("b")
        _ = broker.subscribe(other, to: try TopicFilter("t"), .atLeastOnce)
        for _ in 0..<5 {
            guard case .send = try broker.publish(StoredMessage("t", small))[other] else {
                Issue.record("A message was not sent")
                return
            }
        }
    }

    @Test("QoS 0 does not overtake what waits of the same topic")
    func orderAcrossQualities() throws {
        var broker = broker { $0.messagesInFlight = 1 }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        try broker.publish(StoredMessage("t", "1"))
        try broker.publish(StoredMessage("t", "2"))
        #expect(try broker.publish(StoredMessage("t", "3", .atMostOnce))[id] == .queued(sequence: nil))
        _ = broker.acknowledge(id, packetID: 1)
        #expect(broker.drain(id).map(\.message.text) == ["2", "3"])
    }

    @Test("A client that reads nothing costs no more than its limits; what is dropped is counted")
    func slow() throws {
        var broker = broker { $0.queuedMessages = 10 }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atMostOnce)
        for number in 1...25 { try broker.publish(StoredMessage("t", "\(number)", .atMostOnce), isWritable: false) }
        #expect(broker.session(id)?.backlog == 10)
        #expect(broker.dropped == 15)
        #expect(broker.drain(id).map(\.message.text) == (1...10).map { "\($0)" })
    }

    @Test("The bytes that wait are limited as well as the messages, and are given back when sent")
    func slowBytes() throws {
        var broker = broker { $0.queuedBytes = 100 }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atMostOnce)
        let payload = String(repeating: "x", count: 48)  // 49 with the topic.
        for _ in 0..<3 { try broker.publish(StoredMessage("t", payload, .atMostOnce), isWritable: false) }
        #expect(broker.dropped == 1)
        #expect(broker.drain(id).count == 2)
        for _ in 0..<2 { try broker.publish(StoredMessage("t", payload, .atMostOnce), isWritable: false) }
        #expect(broker.dropped == 1)
    }

    /// A broker whose session `a` has messages with these sequence numbers waiting, and takes everything on "t".
    private func broker(resuming sequences: [UInt64]) throws -> (broker: Broker, session: Broker.SessionID) {
        var broker = broker()
        let key = MQTTSessionKey(principal: .open, clientID: "a")
        broker.restore([.opened(key), .subscribed(key, filter: "t", .atLeastOnce)])
        broker.restore(sequences.map { .queued(key, sequence: $0, StoredMessage("t", "\($0)")) })
        let id = try broker.connect("a", isPersistent: true)
        return (broker, id)
    }

    @Test("Packet ids go from 1 to 65,535 and round again, never 0 [MQTT-2.3.1-1], [MQTT-2.3.1-4]")
    func packetIDs() throws {
        var (broker, id) = try broker(resuming: [65_533])
        #expect(broker.drain(id).map(\.packetID) == [65_533])
        _ = broker.acknowledge(id, packetID: 65_533)
        var ids: [UInt16] = []
        for _ in 0..<4 {
            guard case .send(let sequence?) = try broker.publish(StoredMessage("t", "x"))[id] else { continue }
            ids.append(MQTTSession.packetID(for: sequence))
        }
        #expect(ids == [65_534, 65_535, 1, 2])
    }

    @Test("A packet id that is still in use is not given again [MQTT-2.3.1-2]")
    func packetIDInUse() throws {
        var (broker, id) = try broker(resuming: [1, 65_535])
        #expect(broker.drain(id).map(\.packetID) == [1, 65_535])
        #expect(try broker.publish(StoredMessage("t", "next"))[id] == .queued(sequence: 65_536))
        #expect(broker.drain(id).isEmpty)
        _ = broker.acknowledge(id, packetID: 1)
        #expect(broker.drain(id).map(\.packetID) == [1])
    }

    @Test("Whatever the order of publishing, acknowledging, leaving and returning: nothing is lost, all in order")
    func property() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var broker = broker { $0.messagesInFlight = 3 }
            var id = try broker.connect("a", isPersistent: true)
            _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
            var published = 0
            var received: [Int] = []  // First deliveries, in order.
            var unacknowledged: [UInt16] = []
            var isThere = true
            func take(_ text: String, _ packetID: UInt16?) {
                if let number = Int(text), number > received.last ?? 0 { received.append(number) }
                if let packetID { unacknowledged.append(packetID) }
            }
            for _ in 0..<80 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    published += 1
                    let offer = try broker.publish(
                        StoredMessage("t", "\(published)"), isWritable: Bool.random(using: &random))[id]
                    if case .send(let sequence) = offer {
                        take("\(published)", sequence.map(MQTTSession.packetID(for:)))
                    }
                case 3...5 where isThere:
                    if !unacknowledged.isEmpty {
                        _ = broker.acknowledge(id, packetID: unacknowledged.removeFirst())
                    }
                    for delivery in broker.drain(id) { take(delivery.message.text, delivery.packetID) }
                case 6 where isThere:
                    _ = broker.leave(id)
                    unacknowledged = []
                    isThere = false
                case 7 where !isThere:
                    id = try broker.connect("a", isPersistent: true)
                    isThere = true
                    for delivery in broker.drain(id) { take(delivery.message.text, delivery.packetID) }
                default: break
                }
            }
            if !isThere { id = try broker.connect("a", isPersistent: true) }
            while broker.session(id)?.backlog ?? 0 > 0 {
                for delivery in broker.drain(id) { take(delivery.message.text, delivery.packetID) }
                guard !unacknowledged.isEmpty else { break }
                _ = broker.acknowledge(id, packetID: unacknowledged.removeFirst())
            }
            #expect(received == Array(1...max(1, published)).prefix(published).map { $0 }, "seed \(seed)")
        }
    }
}
