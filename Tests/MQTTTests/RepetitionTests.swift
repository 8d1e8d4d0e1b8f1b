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

    /// Publishes as a listener does: asks, keeps, notes.
    private func publish(_ broker: inout Broker, _ payload: String, to topic: String = "a/b", by connection: UInt64)
        throws
        -> Repetition
    {
        let name = try TopicName(topic)
        let repetition = broker.repetition(of: ByteBuffer(string: payload), topic: name.bytes, by: connection)
        _ = broker.retain(message(topic, payload), topic: name)
        broker.note(connection, topic: name.bytes)
        return repetition
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

    @Test("After a start what was kept is again; what was deleted or never kept is not")
    func restarted() throws {
        var broker = Broker(limits: Limits())
        broker.restore([.retained(message("a/b", "41.5"))])
        #expect(try publish(&broker, "41.5", by: 1) == .again)
        #expect(try publish(&broker, "", by: 1) == .none)
        #expect(try publish(&broker, "41.5", by: 2) == .none)
        var limits = Limits()
        limits.retainedMessages = 0
        var full = Broker(limits: limits)
        #expect(try publish(&full, "41.5", by: 1) == .none)
        #expect(try publish(&full, "41.5", by: 2) == .none)
    }
}
