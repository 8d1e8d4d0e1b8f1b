import MQTT
import NIOCore
import TestInstruments
import Testing

@Suite("Topics")
struct TopicTests {
    @Test(
        "A filter matches as section 4.7 says",
        arguments: [
            // Section 4.7.1.2, its own examples.
            ("sport/tennis/player1/#", "sport/tennis/player1", true),
            ("sport/tennis/player1/#", "sport/tennis/player1/ranking", true),
            ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true),
            ("sport/#", "sport", true),
            ("#", "sport/tennis", true),
            // Section 4.7.1.3.
            ("sport/tennis/+", "sport/tennis/player1", true),
            ("sport/tennis/+", "sport/tennis/player1/ranking", false),
            ("sport/+", "sport", false),
            ("sport/+", "sport/", true),
            ("+/+", "/finance", true),
            ("/+", "/finance", true),
            ("+", "/finance", false),
            ("+/tennis/#", "sport/tennis", true),
            // Section 4.7.2 [MQTT-4.7.2-1].
            ("#", "$SYS/monitor", false),
            ("+/monitor/Clients", "$SYS/monitor/Clients", false),
            ("$SYS/#", "$SYS/monitor", true),
            ("$SYS/monitor/+", "$SYS/monitor/Clients", true),
            ("+/$x", "a/$x", true),
            ("a/#", "a/$x", true),
            // Section 4.7.3: case, spaces, empty levels, and no normalisation [MQTT-4.7.3-4].
            ("ACCOUNTS", "Accounts", false),
            ("a/b", "a/b", true),
            ("a/b", "a/b/", false),
            ("a//b", "a//b", true),
            ("a/+/b", "a//b", true),
            ("/", "/", true),
            ("+", "a b", true),
            ("caf\u{E9}", "cafe\u{301}", false),
        ])
    func matches(_ filter: String, _ topic: String, _ expected: Bool) throws {
        let parsed = try TopicFilter(filter)
        let name = try TopicName(topic)
        #expect(parsed.matches(name) == expected)
        // The broker finds the same by its tree.
        var broker = Broker(limits: Limits())
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: parsed, .atMostOnce)
        #expect(broker.routes(for: name).isEmpty == !expected)
    }

    @Test(
        "A filter covers another when it matches all that the other does",
        arguments: [
            ("tandem/a/#", "tandem/a/+", true), ("tandem/a/#", "tandem/a/#", true), ("tandem/a/#", "tandem/a", true),
            ("tandem/a/#", "tandem/+/x", false), ("tandem/+/x", "tandem/a/x", true), ("tandem/+", "tandem/#", false),
            ("tandem/+/x", "tandem/+/x", true), ("tandem/a", "tandem/a", true), ("tandem/a", "tandem/+", false),
            ("#", "$SYS/#", false), ("#", "+/#", true), ("+/#", "#", false), ("a/#", "#", false),
            ("a/+/c", "a/#", false), ("a/b/#", "a/#", false), ("+", "$SYS", false),
        ])
    func covers(_ filter: String, _ other: String, _ expected: Bool) throws {
        #expect(try TopicFilter(filter).covers(TopicFilter(other)) == expected)
    }

    @Test(
        "A filter with a misplaced wildcard is refused [MQTT-4.7.1-2], [MQTT-4.7.1-3]",
        arguments: [
            ("sport/tennis#", "MQTT-4.7.1-2"), ("sport/tennis/#/ranking", "MQTT-4.7.1-2"), ("##", "MQTT-4.7.1-2"),
            ("sport+", "MQTT-4.7.1-3"), ("++", "MQTT-4.7.1-3"), ("a/+b/c", "MQTT-4.7.1-3"), ("", "MQTT-4.7.3-1"),
            ("a\0", "MQTT-1.5.3-2"),
        ])
    func invalidFilter(_ filter: String, _ clause: String) {
        let error = #expect(throws: ProtocolViolation.self) { _ = try TopicFilter(filter) }
        #expect(error?.clause == clause)
    }

    @Test(
        "A topic name has no wildcards, is not empty and has a bounded number of levels",
        arguments: [
            ("a/#", "MQTT-3.3.2-2"), ("+", "MQTT-3.3.2-2"), ("", "MQTT-4.7.3-1"), ("a\0b", "MQTT-1.5.3-2"),
            (String(repeating: "/", count: 64), "4.7"),
        ])
    func invalidName(_ topic: String, _ clause: String) {
        let error = #expect(throws: ProtocolViolation.self) { _ = try TopicName(topic) }
        #expect(error?.clause == clause)
    }

    @Test("A topic may be as long as the limit, which may be as high as the standard's [MQTT-4.7.3-3]")
    func length() throws {
        #expect(try TopicName(String(repeating: "x", count: 1_024)).bytes.readableBytes == 1_024)
        #expect(throws: ProtocolViolation.self) { _ = try TopicName(String(repeating: "x", count: 1_025)) }
        var limits = Limits()
        limits.topicBytes = 65_535
        let longest = ByteBuffer(repeating: 0x78, count: 65_535)
        #expect(try TopicName(bytes: longest, limits: limits).bytes == longest)
        #expect(throws: ProtocolViolation.self) { _ = try TopicFilter(String(repeating: "x", count: 65_536)) }
    }

    @Test("The tree of subscriptions agrees with matching one filter after the other", arguments: [1, 2, 3, 4])
    func treeAgreesWithMatching(_ round: UInt64) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed &+ round)
        let words = ["a", "b", "", "$x", "é"]
        var broker = Broker(limits: Limits())
        var held: [Broker.SessionID: [TopicFilter: QualityOfService]] = [:]
        for number in 0..<12 {
            held[try broker.connect("c\(number)")] = [:]
        }
        for step in 0..<600 {
            let levels = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }
            let id = try #require(held.keys.sorted { $0.index < $1.index }.randomElement(using: &random))
            var parts = levels.map { Int.random(in: 0..<4, using: &random) == 0 ? "+" : $0 }
            if Int.random(in: 0..<4, using: &random) == 0 { parts.append("#") }
            if let filter = try? TopicFilter(parts.joined(separator: "/")) {
                if Bool.random(using: &random) {
                    let quality: QualityOfService = Bool.random(using: &random) ? .atLeastOnce : .atMostOnce
                    _ = broker.subscribe(id, to: filter, SubscriptionOptions(qualityOfService: quality))
                    held[id]?[filter] = quality
                } else if let gone = held[id]?.keys.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random) {
                    _ = broker.unsubscribe(id, from: gone)
                    held[id]?[gone] = nil
                }
            }
            guard let topic = try? TopicName(levels.joined(separator: "/")) else { continue }
            let expected = held.compactMapValues { filters in
                filters.filter { $0.key.matches(topic) }.map(\.value).max()
            }
            let found = Dictionary(
                uniqueKeysWithValues: broker.routes(for: topic).map { ($0.session, $0.terms.qualityOfService) })
            #expect(found == expected, "seed \(seed), round \(round), step \(step), topic \(topic)")
        }
    }
}
