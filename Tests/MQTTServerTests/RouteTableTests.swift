import MQTT
import NIOCore
import Testing

@testable import MQTTServer

@Suite("Routes that are remembered")
struct RouteTableTests {
    private func route(_ topic: String, receivers: Int = 0) throws -> TopicRoute {
        let route = try TopicRoute(ByteBuffer(string: topic), limits: Limits())
        var broker = Broker(limits: Limits())
        for number in 0..<receivers {
            let key = MQTTSessionKey(principal: .open, clientID: "\(number)")
            let found = broker.open(key, isPersistent: false)
            let opened = try #require(found)
            _ = broker.subscribe(opened.session, to: try TopicFilter("#"), .atMostOnce)
        }
        route.receivers = broker.routes(for: route.topic).map { TopicRoute.Receiver(route: $0, stored: nil) }
        return route
    }

    @Test("A topic is remembered once it has come")
    func remembers() throws {
        var table = RouteTable()
        let known = try route("a")
        table.insert(known)
        #expect(table[ByteBuffer(string: "a")] === known)
        #expect(table[ByteBuffer(string: "b")] == nil)
    }

    @Test("As many topics as may be are remembered, and then the table is begun again")
    func topics() throws {
        var table = RouteTable(mostTopics: 2)
        for topic in ["a", "b"] { table.insert(try route(topic)) }
        #expect(table.count == 2)
        table.insert(try route("c"))
        #expect(table.count == 1)
    }

    @Test("Long topics are not remembered")
    func longTopic() throws {
        var table = RouteTable()
        table.insert(try route(String(repeating: "x", count: 257)))
        #expect(table.count == 0)
    }

    @Test(
        "What all topics together remember of their receivers is bounded: a thousand topics of a thousand subscribers are not kept"
    )
    func receivers() throws {
        var table = RouteTable(mostReceivers: 5)
        let (first, second) = (try route("a", receivers: 3), try route("b", receivers: 2))
        for route in [first, second] {
            table.insert(route)
            table.changed(route, from: 0)
        }
        #expect(table.count == 2)
        let third = try route("c", receivers: 1)
        table.insert(third)
        table.changed(third, from: 0)
        #expect(table.count == 0)
        // What a connection still holds is none of the table's.
        table.changed(first, from: 0)
        table.insert(second)
        table.changed(second, from: 0)
        #expect(table.count == 1)
    }

    @Test("A topic that loses its receivers makes room for those of others")
    func fewerReceivers() throws {
        var table = RouteTable(mostReceivers: 5)
        let route = try route("a", receivers: 4)
        table.insert(route)
        table.changed(route, from: 0)
        route.receivers = []
        table.changed(route, from: 4)
        let other = try self.route("b", receivers: 5)
        table.insert(other)
        table.changed(other, from: 0)
        #expect(table.count == 2)
    }
}
