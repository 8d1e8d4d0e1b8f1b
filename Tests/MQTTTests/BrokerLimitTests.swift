import MQTT
import NIOCore
import TestInstruments
import Testing

@Suite("What one client may cost the broker")
struct BrokerLimitTests {
    private func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    private func message(_ topic: String, _ payload: String = "x", of publisher: Principal) -> StoredMessage {
        StoredMessage(topic: topic, payload: Array(payload.utf8), qualityOfService: .atLeastOnce, publisher: publisher)
    }

    /// Everything that a session has to get, in turns, and how many turns it took.
    private func turns(
        _ broker: inout Broker, _ id: Broker.SessionID, _ limits: Limits
    ) -> (topics: [String], turns: Int) {
        var (topics, turns) = ([String](), 0)
        var budget = WorkBudget(limits: limits)
        while broker.hasBacklog(id) {
            while let next = broker.next(id, budget: &budget) { topics.append(next.delivery.message.topic) }
            budget.renew()
            turns += 1
        }
        return (topics, turns)
    }

    // MARK: Retained messages

    @Test("One publisher fills its own share of the retained messages, and nobody else's")
    func messagesPerPrincipal() throws {
        var broker = Broker(limits: limits { $0.retainedMessagesPerPrincipal = 2 })
        let (one, other) = (Principal.device(id: "1"), Principal.device(id: "2"))
        #expect(broker.retain(message("a", of: one), topic: try TopicName("a")) != nil)
        #expect(broker.retain(message("b", of: one), topic: try TopicName("b")) != nil)
        #expect(broker.retain(message("c", of: one), topic: try TopicName("c")) == nil)
        #expect(broker.dropped == 1)
        #expect(broker.retain(message("b", "new", of: one), topic: try TopicName("b")) != nil, "in its own place")
        #expect(broker.retain(message("c", of: other), topic: try TopicName("c")) != nil)
        #expect(broker.retain(message("c", of: one), topic: try TopicName("c")) == nil, "in another's place")
        #expect(broker.retain(message("a", "", of: one), topic: try TopicName("a")) != nil, "an empty one removes")
        #expect(broker.retain(message("c", of: one), topic: try TopicName("c")) != nil)
        #expect(broker.retain(message("d", of: other), topic: try TopicName("d")) != nil)
    }

    @Test("One publisher's retained messages have so many bytes together, counted as they are replaced")
    func bytesPerPrincipal() throws {
        var broker = Broker(limits: limits { $0.retainedBytesPerPrincipal = 20 })
        let one = Principal.device(id: "1")
        #expect(broker.retain(message("a", "0123456789", of: one), topic: try TopicName("a")) != nil)
        #expect(broker.retain(message("b", "0123456789", of: one), topic: try TopicName("b")) == nil)
        #expect(broker.retain(message("a", "0", of: one), topic: try TopicName("a")) != nil)
        #expect(broker.retain(message("b", "0123456789", of: one), topic: try TopicName("b")) != nil)
        #expect(broker.retain(message("c", "0123456789", of: .device(id: "2")), topic: try TopicName("c")) != nil)
    }

    @Test("What was retained under other limits is stored after a restart")
    func restoredBeyondLimits() throws {
        var broker = Broker(limits: limits { $0.retainedMessagesPerPrincipal = 1 })
        broker.restore(["a", "b", "c"].map { .retained(message($0, of: .device(id: "1"))) })
        let id = try broker.connect("x")
        _ = broker.subscribe(id, to: try TopicFilter("+"), .atMostOnce)
        #expect(broker.drain(id).map(\.message.topic) == ["a", "b", "c"])
    }

    @Test("A filter costs what lies below its own beginning, not what everybody else has retained")
    func walksItsOwn() throws {
        let few = limits { $0.workPerTurn = 32 }
        var broker = Broker(limits: few)
        for number in 0..<1_900 {
            let topic = "tandem/other\(number % 7)/\(number)"
            _ = broker.retain(message(topic, of: .hub), topic: try TopicName(topic))
        }
        for topic in ["tandem/me", "tandem/me/a", "tandem/me/b", "tandem/mean/a", "tandem/me!"] {
            _ = broker.retain(message(topic, of: .hub), topic: try TopicName(topic))
        }
        let id = try broker.connect("me")
        _ = broker.subscribe(id, to: try TopicFilter("tandem/me/#"), .atMostOnce)
        let (topics, turns) = turns(&broker, id, few)
        #expect(topics == ["tandem/me", "tandem/me/a", "tandem/me/b"])
        #expect(turns == 1)
    }

    @Test("The same filter twenty times is one replay")
    func repeats() throws {
        var broker = Broker(limits: Limits())
        for number in 0..<50 {
            _ = broker.retain(message("t/\(number)", of: .hub), topic: try TopicName("t/\(number)"))
        }
        let id = try broker.connect("a")
        let generation = broker.generation
        for _ in 0..<20 { _ = broker.subscribe(id, to: try TopicFilter("#"), .atMostOnce) }
        #expect(broker.generation == generation + 1, "nobody else has to look who receives what again")
        #expect(broker.drain(id).count == 50)
        // A replay that has begun does not answer a later question [MQTT-3.8.4-3].
        _ = broker.subscribe(id, to: try TopicFilter("#"), .atMostOnce)
        var budget = WorkBudget(limits: Limits())
        _ = broker.next(id, budget: &budget)
        for _ in 0..<20 { _ = broker.subscribe(id, to: try TopicFilter("#"), .atMostOnce) }
        #expect(broker.drain(id).count == 49 + 50)
    }

    @Test("A replay goes on in as many turns as it takes, in order, and nothing is left out or sent twice")
    func inTurns() throws {
        let few = limits { $0.workPerTurn = 10 }
        var broker = Broker(limits: few)
        for number in 100..<400 {
            for topic in ["t/\(number)/a", "t/\(number)/b"] {
                _ = broker.retain(message(topic, of: .hub), topic: try TopicName(topic))
            }
        }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("t/+/b"), .atMostOnce)
        let (topics, turns) = turns(&broker, id, few)
        #expect(topics == (100..<400).map { "t/\($0)/b" })
        #expect(turns > 60)
    }

    @Test("What comes and goes between two turns of a replay does not confuse it")
    func changesBetweenTurns() throws {
        let few = limits { $0.workPerTurn = 3 }
        var broker = Broker(limits: few)
        for topic in ["b", "d", "f", "h"] { _ = broker.retain(message(topic, of: .hub), topic: try TopicName(topic)) }
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("+"), .atMostOnce)
        var budget = WorkBudget(limits: few)
        #expect(broker.next(id, budget: &budget)?.delivery.message.topic == "b")
        for topic in ["b", "d"] { _ = broker.retain(message(topic, "", of: .hub), topic: try TopicName(topic)) }
        for topic in ["a", "e"] { _ = broker.retain(message(topic, of: .hub), topic: try TopicName(topic)) }
        #expect(turns(&broker, id, few).topics == ["e", "f", "h"])
    }

    @Test("Who leaves during a long replay finds the rest of it at its return")
    func leavesDuringReplay() throws {
        let few = limits { $0.workPerTurn = 30 }
        var broker = Broker(limits: few)
        let topics = (100..<200).map { "t/\($0)" }
        for topic in topics { _ = broker.retain(message(topic, of: .hub), topic: try TopicName(topic)) }
        let id = try broker.connect("a", isPersistent: true)
        _ = broker.subscribe(id, to: try TopicFilter("#"), .atLeastOnce)
        let stored = broker.leave(id)
        #expect(stored.count == 30, "no more than a turn's work")
        _ = try broker.connect("a", isPersistent: true)
        #expect(turns(&broker, id, few).topics == topics)
    }

    @Test("The walk over the topics of a filter agrees with matching one after the other")
    func walkAgreesWithMatching() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("retained walk seed: \(seed)")
        var random = SeededGenerator(seed: seed)
        let words = ["a", "b", "", "$x", "é", "a!", "a0"]
        for _ in 0..<60 {
            var broker = Broker(limits: Limits())
            var held: Set<String> = []
            for _ in 0..<60 {
                let topic = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    words.randomElement(using: &random) ?? ""
                }.joined(separator: "/")
                guard let name = try? TopicName(topic) else { continue }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    _ = broker.retain(message(topic, "", of: .hub), topic: name)
                    held.remove(topic)
                } else {
                    _ = broker.retain(message(topic, of: .hub), topic: name)
                    held.insert(topic)
                }
            }
            var parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Int.random(in: 0..<3, using: &random) == 0 ? "+" : words.randomElement(using: &random) ?? ""
            }
            if Bool.random(using: &random) { parts.append("#") }
            guard let filter = try? TopicFilter(parts.joined(separator: "/")) else { continue }
            let id = try broker.connect("c")
            _ = broker.subscribe(id, to: filter, .atMostOnce)
            let found = broker.drain(id).map(\.message.topic)
            let expected = try held.filter { filter.matches(try TopicName($0)) }
            #expect(found.sorted() == expected.sorted(), "seed \(seed), filter \(filter)")
        }
    }

    // MARK: Subscriptions

    @Test("All sessions of one principal hold so many filters together, and get them back as they are given up")
    func subscriptionsPerPrincipal() throws {
        var broker = Broker(limits: limits { $0.subscriptionsPerPrincipal = 3 })
        let device = Principal.device(id: "1")
        let (first, second) = (try broker.connect("1", device), try broker.connect("2", device))
        #expect(broker.subscribe(first, to: try TopicFilter("a"), .atMostOnce) != nil)
        #expect(broker.subscribe(first, to: try TopicFilter("b"), .atMostOnce) != nil)
        #expect(broker.subscribe(second, to: try TopicFilter("a"), .atMostOnce) != nil)
        #expect(broker.subscribe(second, to: try TopicFilter("b"), .atMostOnce) == nil)
        #expect(broker.subscribe(second, to: try TopicFilter("a"), .atLeastOnce) != nil, "again is not one more")
        let other = try broker.connect("1", .device(id: "2"))
        #expect(broker.subscribe(other, to: try TopicFilter("a"), .atMostOnce) != nil)
        _ = broker.unsubscribe(first, from: try TopicFilter("a"))
        #expect(broker.subscribe(second, to: try TopicFilter("b"), .atMostOnce) != nil)
        _ = broker.leave(first)
        #expect(broker.subscribe(second, to: try TopicFilter("c"), .atMostOnce) != nil)
    }

    @Test("Filters full of wildcards cost a topic no more than there are levels in them, and the search is charged")
    func wildcards() throws {
        var broker = Broker(limits: Limits())
        let id = try broker.connect("a")
        let levels = 60
        for number in 0..<200 {
            // Each of the binary numbers as levels that match the topic in both ways.
            let head = (0..<8).map { number >> $0 & 1 == 1 ? "+" : "a" }
            let filter = (head + Array(repeating: "+", count: levels - 8)).joined(separator: "/")
            #expect(broker.subscribe(id, to: try TopicFilter(filter), .atMostOnce) != nil)
        }
        var budget = WorkBudget(limits: limits { $0.workPerTurn = 200 * levels })
        let topic = try TopicName(Array(repeating: "a", count: levels).joined(separator: "/"))
        #expect(broker.receivers(of: topic, budget: &budget).routes.count == 1)
        #expect(!budget.isSpent, "no more than each level of each filter once")
        var little = WorkBudget(limits: limits { $0.workPerTurn = 1_000 })
        _ = broker.receivers(of: topic, budget: &little)
        #expect(little.isSpent)
    }

    @Test("A SUBSCRIBE or UNSUBSCRIBE has so many filters at most", arguments: [UInt8(0x82), 0xA2])
    func filtersPerPacket(type: UInt8) throws {
        for (count, isTaken) in [(3, true), (4, false)] {
            var body = ByteBuffer(bytes: [0, 1])
            for _ in 0..<count { body.writeBytes([0, 1, UInt8(ascii: "#")] + (type == 0x82 ? [0] : [])) }
            var bytes = ByteBuffer(bytes: [type, UInt8(body.readableBytes)])
            bytes.writeBuffer(&body)
            if isTaken {
                _ = try Packet.decode(from: &bytes, maximumLength: 1_000, maximumFilters: 3)
            } else {
                let error = #expect(throws: ProtocolViolation.self) {
                    try Packet.decode(from: &bytes, maximumLength: 1_000, maximumFilters: 3)
                }
                #expect(error?.clause == "3.8.3")
            }
        }
    }

    // MARK: Turns

    @Test("What is spent beyond a turn is paid in later ones")
    func debt() {
        var budget = WorkBudget(limits: limits { $0.workPerTurn = 10 })
        budget.spend(9)
        #expect(!budget.isSpent)
        budget.spend(26)
        #expect(budget.isSpent)
        budget.renew()
        budget.renew()
        #expect(budget.isSpent)
        budget.renew()
        #expect(!budget.isSpent)
        budget.renew()
        budget.renew()
        budget.spend(10)
        #expect(budget.isSpent, "unused turns do not add up")
    }
}
