import NIOCore
import Testing

@testable import MQTT

/// A message that is kept stands until another takes its place [MQTT-3.3.1-5], also for whoever publishes it again.
@Suite("Retained messages that are published again")
struct RepetitionTests {
    private func message(_ topic: String, _ payload: String) -> StoredMessage {
        StoredMessage(
            topic: topic, payload: Array(payload.utf8), qualityOfService: .atLeastOnce,
            publisher: .integration(id: "house"))
    }

    /// The fate of what the host reads of a message.
    private enum Fate { case stored, lost, unread }

    /// Publishes as a listener does: asks, keeps, notes, and tells of the commit.
    private func publish(
        _ broker: inout Broker, _ payload: String, to topic: String = "a/b", by connection: UInt64,
        _ fate: Fate = .stored
    ) throws -> Repetition {
        let name = try TopicName(topic)
        let repetition = broker.repetition(of: ByteBuffer(string: payload), topic: name.bytes, by: connection)
        let reading = RetainedReading(connection: connection, number: 1)
        _ = broker.retain(message(topic, payload), topic: name, reading: fate == .unread ? nil : reading)
        broker.note(connection, topic: name.bytes)
        if fate == .stored { broker.committed(reading, topic: name.bytes) }
        return repetition
    }

    @Test("What is kept and was not read, or went down with its commit, is no repetition until it is read and stored")
    func unread() throws {
        var broker = Broker(limits: Limits())
        #expect(try publish(&broker, "closed", by: 1, .unread) == .none)
        #expect(try publish(&broker, "closed", by: 1, .unread) == .none)
        #expect(try publish(&broker, "closed", by: 2, .lost) == .none)
        #expect(try publish(&broker, "closed", by: 3, .lost) == .none)
        #expect(try publish(&broker, "closed", by: 4) == .none)
        #expect(try publish(&broker, "closed", by: 5, .unread) == .again)
        // Measured again by a sensor that lives, and lost: to be read when it comes again.
        #expect(try publish(&broker, "closed", by: 5, .lost) == .same)
        #expect(try publish(&broker, "closed", by: 6) == .none)
        #expect(try publish(&broker, "open", by: 6, .unread) == .none)
        #expect(try publish(&broker, "open", by: 7) == .none)
    }

    @Test("A commit that comes late says nothing of the message that has taken its message’s place")
    func replaced() throws {
        var broker = Broker(limits: Limits())
        let topic = try TopicName("a/b")
        let (first, second) = (RetainedReading(connection: 1, number: 1), RetainedReading(connection: 1, number: 2))
        _ = broker.retain(message("a/b", "1"), topic: topic, reading: first)
        _ = broker.retain(message("a/b", "2"), topic: topic, reading: second)
        broker.committed(first, topic: topic.bytes)
        #expect(broker.repetition(of: ByteBuffer(string: "2"), topic: topic.bytes, by: 2) == .none)
        broker.committed(second, topic: topic.bytes)
        #expect(broker.repetition(of: ByteBuffer(string: "2"), topic: topic.bytes, by: 2) == .again)
    }

    @Test(
        "The same message is again on another connection, the same on one that has said it, and none if it is another")
    func compared() throws {
        var broker = Broker(limits: Limits())
        #expect(try publish(&broker, "41.5", by: 1) == .none)
        #expect(try publish(&broker, "41.5", by: 1) == .same)
        #expect(try publish(&broker, "41.5", by: 2) == .again)
        #expect(try publish(&broker, "41.5", by: 2) == .same)
        #expect(try publish(&broker, "41.50", by: 2) == .none)
        #expect(try publish(&broker, "41.50", by: 1) == .again)
        #expect(try publish(&broker, "41.5", to: "a/c", by: 1) == .none)
        #expect(try publish(&broker, "41.5", by: 3) == .none)
    }

    @Test("After a start what was kept and read is again; what was not read, was deleted or never kept is not")
    func restarted() throws {
        var broker = Broker(limits: Limits())
        broker.restore([.retained(message("a/b", "41.5"), isRead: true), .retained(message("a/c", "41.5"))])
        #expect(try publish(&broker, "41.5", by: 1) == .again)
        #expect(try publish(&broker, "41.5", to: "a/c", by: 1) == .none)
        #expect(try publish(&broker, "", by: 1) == .none)
        #expect(try publish(&broker, "41.5", by: 2) == .none)
        var limits = Limits()
        limits.retainedMessages = 0
        var full = Broker(limits: limits)
        #expect(try publish(&full, "41.5", by: 1) == .none)
        #expect(try publish(&full, "41.5", by: 2) == .none)
    }
}
