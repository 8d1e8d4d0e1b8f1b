import MQTT
import NIOCore
import Testing

@Suite("The broker")
struct BrokerTests {
    private func key(_ clientID: String, _ principal: Principal = .open) -> MQTTSessionKey {
        MQTTSessionKey(principal: principal, clientID: clientID)
    }

    @Test("A clean session ends with its connection [MQTT-3.1.2-6]")
    func clean() throws {
        var broker = Broker(limits: Limits())
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        #expect(broker.leave(id) == [])
        #expect(broker.routes(for: try TopicName("t")).isEmpty)
        #expect(broker.sessionCount == 0)
    }

    @Test("A persistent session is there again, and says so [MQTT-3.1.2-4], [MQTT-3.2.2-2]")
    func persistent() throws {
        var broker = Broker(limits: Limits())
        let first = broker.open(key("a"), isPersistent: true)
        #expect(first?.isPresent == false)
        #expect(first?.changes == [.opened(key("a"))])
        let id = try #require(first).session
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        _ = broker.leave(id)
        let second = broker.open(key("a"), isPersistent: true)
        #expect(second?.session == id)
        #expect(second?.isPresent == true)
        #expect(second?.changes == [])
        #expect(broker.routes(for: try TopicName("t")).map(\.session) == [id])
    }

    @Test("A clean session discards the persistent one before it [MQTT-3.1.2-6]")
    func discard() throws {
        var broker = Broker(limits: Limits())
        let id = try broker.connect("a", isPersistent: true)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        _ = broker.leave(id)
        let clean = broker.open(key("a"), isPersistent: false)
        #expect(clean?.isPresent == false)
        #expect(clean?.changes == [.ended(key("a"))])
        #expect(broker.routes(for: try TopicName("t")).isEmpty)
    }

    @Test("The same client id of two principals is two sessions")
    func principals() throws {
        var broker = Broker(limits: Limits())
        let mine = try broker.connect("a", .device(id: "1"), isPersistent: true)
        _ = broker.subscribe(mine, to: try TopicFilter("t"), .atLeastOnce)
        _ = broker.leave(mine)
        try broker.publish(StoredMessage("t", "secret"))
        let theirs = broker.open(key("a", .device(id: "2")), isPersistent: true)
        #expect(theirs?.isPresent == false)
        #expect(broker.drain(try #require(theirs).session).isEmpty)
        #expect(broker.connected(key("a", .device(id: "1"))) == nil)
        #expect(broker.connected(key("a", .device(id: "2"))) == theirs?.session)
    }

    @Test("Client ids are compared by their bytes")
    func clientIDBytes() {
        #expect(key("caf\u{E9}") != key("cafe\u{301}"))
        #expect(Set([key("caf\u{E9}"), key("cafe\u{301}")]).count == 2)
    }

    @Test("A subscription with the same filter replaces the one before [MQTT-3.8.4-3]")
    func replace() throws {
        var broker = Broker(limits: Limits())
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atMostOnce)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atLeastOnce)
        #expect(broker.routes(for: try TopicName("t")).map(\.terms.qualityOfService) == [.atLeastOnce])
        _ = broker.unsubscribe(id, from: try TopicFilter("t"))
        #expect(broker.routes(for: try TopicName("t")).isEmpty)
        #expect(broker.unsubscribe(id, from: try TopicFilter("t")) == nil)
    }

    @Test("Overlapping subscriptions deliver once, with the highest quality granted [MQTT-3.3.5-1]")
    func overlap() throws {
        var broker = Broker(limits: Limits())
        let id = try broker.connect("a")
        for (filter, quality) in [("a/#", SubscriptionOptions.atMostOnce), ("a/+", .atLeastOnce), ("a/b", .atMostOnce)]
        {
            _ = broker.subscribe(id, to: try TopicFilter(filter), quality)
        }
        let routes = broker.routes(for: try TopicName("a/b"))
        #expect(routes.map(\.session) == [id])
        #expect(routes.map(\.terms.qualityOfService) == [.atLeastOnce])
    }

    @Test("A new subscription is sent the retained messages, marked as such [MQTT-3.3.1-6], [MQTT-3.3.1-8]")
    func retained() throws {
        var broker = Broker(limits: Limits())
        for topic in ["a/1", "a/2", "b", "$SYS/x"] {
            _ = broker.retain(StoredMessage(topic, topic), topic: try TopicName(topic))
        }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("a/+"), .atMostOnce)
        let deliveries = broker.drain(id)
        #expect(deliveries.map(\.message.topic) == ["a/1", "a/2"])
        #expect(deliveries.map(\.retain) == [true, true])
        #expect(deliveries.map(\.packetID) == [nil, nil], "Not more than the QoS granted.")
        _ = broker.subscribe(id, to: try TopicFilter("#"), .atLeastOnce)
        #expect(broker.drain(id).map(\.message.topic) == ["a/1", "a/2", "b"])
        _ = broker.subscribe(id, to: try TopicFilter("$SYS/x"), .atLeastOnce)
        #expect(broker.drain(id).map(\.message.topic) == ["$SYS/x"])
    }

    @Test("The last retained message of a topic counts, and an empty one removes it [MQTT-3.3.1-5], [MQTT-3.3.1-10]")
    func replaceRetained() throws {
        var broker = Broker(limits: Limits())
        let topic = try TopicName("t")
        #expect(broker.retain(StoredMessage("t", "1"), topic: topic) == .retained(StoredMessage("t", "1")))
        #expect(broker.retain(StoredMessage("t", "2"), topic: topic) == .retained(StoredMessage("t", "2")))
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atMostOnce)
        #expect(broker.drain(id).map(\.message.text) == ["2"])
        #expect(broker.retain(StoredMessage("t", ""), topic: topic) == .unretained(topic: "t"))
        #expect(broker.retain(StoredMessage("t", ""), topic: topic) == nil)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atMostOnce)
        #expect(broker.drain(id).isEmpty)
    }

    @Test("Retained messages are limited in number and bytes; what does not fit is counted")
    func retainedLimits() throws {
        var limits = Limits()
        limits.retainedMessages = 2
        limits.retainedBytes = 20
        var broker = Broker(limits: limits)
        _ = broker.retain(StoredMessage("a", "1"), topic: try TopicName("a"))
        _ = broker.retain(StoredMessage("b", "1"), topic: try TopicName("b"))
        #expect(broker.retain(StoredMessage("c", "1"), topic: try TopicName("c")) == nil)
        #expect(broker.dropped == 1)
        let long = StoredMessage("a", String(repeating: "x", count: 19))
        #expect(broker.retain(long, topic: try TopicName("a")) == nil)
        #expect(broker.dropped == 2)
        _ = broker.retain(StoredMessage("b", ""), topic: try TopicName("b"))
        #expect(broker.retain(long, topic: try TopicName("a")) != nil)
    }

    @Test("Retained messages that a leaving client was still owed wait for its return")
    func owedRetained() throws {
        var limits = Limits()
        limits.messagesInFlight = 1
        var broker = Broker(limits: limits)
        for topic in ["a", "b"] { _ = broker.retain(StoredMessage(topic, topic), topic: try TopicName(topic)) }
        let id = try broker.connect("x", isPersistent: true)
        _ = broker.subscribe(id, to: try TopicFilter("+"), .atLeastOnce)
        #expect(broker.drain(id).map(\.message.topic) == ["a"])
        #expect(
            broker.leave(id) == [.queued(key("x"), sequence: 2, StoredMessage("b", "b"), DeliveryTerms(retain: true))])
        _ = try broker.connect("x", isPersistent: true)
        let first = try #require(broker.drain(id).first)
        #expect(first.message.topic == "a" && first.isDuplicate && first.retain)
        _ = broker.acknowledge(id, packetID: 1)
        #expect(broker.drain(id).map(\.message.topic) == ["b"])
    }

    @Test("A session may hold so many filters, of so many levels, and no more")
    func subscriptionLimits() throws {
        var limits = Limits()
        limits.subscriptionsPerSession = 2
        limits.topicLevels = 3
        var broker = Broker(limits: limits)
        let id = try broker.connect("a")
        #expect(broker.subscribe(id, to: try TopicFilter("a"), .atMostOnce) != nil)
        #expect(broker.subscribe(id, to: try TopicFilter("1/2/3/4"), .atMostOnce) == nil)
        #expect(broker.subscribe(id, to: try TopicFilter(String(repeating: "x", count: 1_025)), .atMostOnce) == nil)
        #expect(broker.subscribe(id, to: try TopicFilter("1/2/3"), .atMostOnce) != nil)
        #expect(broker.subscribe(id, to: try TopicFilter("c"), .atMostOnce) == nil)
        #expect(broker.subscribe(id, to: try TopicFilter("a"), .atLeastOnce) != nil, "Again is not one more.")
    }

    @Test("One persistent session too many ends the longest absent of that principal; with all present it is refused")
    func sessionLimit() throws {
        var limits = Limits()
        limits.persistentSessionsPerPrincipal = 2
        var broker = Broker(limits: limits)
        let other = try broker.connect("o", .device(id: "other"), isPersistent: true)
        _ = broker.leave(other)
        let first = try broker.connect("1", isPersistent: true)
        let second = try broker.connect("2", isPersistent: true)
        #expect(broker.open(key("3"), isPersistent: true) == nil)
        _ = broker.leave(second)
        _ = broker.leave(first)
        let third = broker.open(key("3"), isPersistent: true)
        #expect(third?.changes == [.ended(key("2")), .opened(key("3"))])
        #expect(broker.open(key("o", .device(id: "other")), isPersistent: true)?.isPresent == true)
    }

    @Test("The generation rises when receivers may have changed, and only then")
    func generation() throws {
        var broker = Broker(limits: Limits())
        let before = broker.generation
        let id = try broker.connect("a", isPersistent: true)
        try broker.publish(StoredMessage("t", "x"))
        _ = broker.leave(id)
        #expect(broker.generation == before)
        // Its owner may have been unknown to the host while it was away.
        _ = try broker.connect("a", isPersistent: true)
        #expect(broker.generation == before + 1)
        _ = broker.subscribe(id, to: try TopicFilter("t"), .atMostOnce)
        #expect(broker.generation == before + 2)
        _ = broker.end(id)
        #expect(broker.generation == before + 3)
    }

    @Test("Replaying what was stored gives the sessions back, with what was not delivered and its packet ids")
    func restore() throws {
        var broker = Broker(limits: Limits())
        var changes: [StoredChange] = []
        let first = broker.open(key("a"), isPersistent: true)
        let opened = try #require(first)
        changes += opened.changes
        changes += broker.subscribe(opened.session, to: try TopicFilter("t/+"), .atLeastOnce) ?? []
        changes += broker.subscribe(opened.session, to: try TopicFilter("u"), .atLeastOnce) ?? []
        changes += broker.unsubscribe(opened.session, from: try TopicFilter("u")) ?? []
        for number in 1...3 {
            let message = StoredMessage("t/\(number)", "\(number)")
            guard case .send(let sequence?) = try broker.publish(message)[opened.session] else { continue }
            changes.append(.queued(key("a"), sequence: sequence, message))
        }
        changes += [broker.acknowledge(opened.session, packetID: 2)].compactMap { $0 }
        for message in [StoredMessage("r", "kept"), StoredMessage("s", "gone"), StoredMessage("s", "")] {
            changes += [broker.retain(message, topic: try TopicName(message.topic))].compactMap { $0 }
        }
        #expect(changes.count == 11)

        var restarted = Broker(limits: Limits())
        restarted.restore(changes)
        let returned = restarted.open(key("a"), isPersistent: true)
        let again = try #require(returned)
        #expect(again.isPresent)
        #expect(restarted.session(again.session)?.subscriptions == [try TopicFilter("t/+"): .atLeastOnce])
        let deliveries = restarted.drain(again.session)
        #expect(deliveries.map(\.packetID) == [1, 3])
        #expect(deliveries.map(\.isDuplicate) == [true, true])
        // The next number is one that was never used.
        #expect(try restarted.publish(StoredMessage("t/4", "4"))[again.session] == .send(sequence: 4))
        _ = restarted.subscribe(again.session, to: try TopicFilter("#"), .atMostOnce)
        #expect(restarted.drain(again.session).map(\.message.text) == ["kept"])
    }
}
