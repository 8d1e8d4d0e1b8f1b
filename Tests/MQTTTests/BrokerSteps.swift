import MQTT
import NIOCore
import Testing

/// What tests of the broker do again and again.
extension Broker {
    mutating func connect(
        _ clientID: String, _ principal: Principal = .open, isPersistent: Bool = false
    ) throws -> SessionID {
        let opened = open(MQTTSessionKey(principal: principal, clientID: clientID), isPersistent: isPersistent)
        return try #require(opened).session
    }

    /// Hands a message to all its receivers, as the listener does.
    @discardableResult
    mutating func publish(
        _ message: StoredMessage, isWritable: Bool = true
    ) throws -> [SessionID: MQTTSession.Offer] {
        var offers: [SessionID: MQTTSession.Offer] = [:]
        for route in routes(for: try TopicName(message.topic)) {
            offers[route.session] = offer(
                to: route.session, route.terms.delivery(of: message.qualityOfService, retain: false),
                size: message.payload.count, isWritable: isWritable
            ) { message }
        }
        return offers
    }

    /// Everything that `next` has.
    mutating func drain(_ id: SessionID) -> [MQTTSession.Delivery] {
        var deliveries: [MQTTSession.Delivery] = []
        var budget = WorkBudget(limits: Limits())
        while let next = next(id, budget: &budget) {
            deliveries.append(next.delivery)
            budget = WorkBudget(limits: Limits())
        }
        return deliveries
    }
}

extension StoredMessage {
    init(_ topic: String, _ payload: String, _ qualityOfService: QualityOfService = .atLeastOnce) {
        self.init(topic: topic, payload: Array(payload.utf8), qualityOfService: qualityOfService, publisher: .open)
    }

    var text: String { String(decoding: payload, as: UTF8.self) }
}
