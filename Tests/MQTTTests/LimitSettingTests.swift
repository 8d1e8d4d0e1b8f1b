import Foundation
import MQTT
import NIOCore
import Testing

@Suite("MQTT's limits as settings")
struct LimitSettingTests {
    @Test("Each is set by its name, and nothing else with it", arguments: LimitSetting.all.map(\.name))
    func sets(_ name: String) throws {
        let setting = try #require(LimitSetting.all.first { $0.name == name })
        for value in [setting.range.lowerBound, setting.range.upperBound] {
            var limits = Limits()
            try LimitSetting.set(name, to: value, in: &limits)
            #expect(setting.value(in: limits) == value)
            try LimitSetting.set(name, to: setting.value(in: Limits()), in: &limits)
            #expect(limits == Limits(), "The default is within its range, and set back.")
        }
    }

    @Test("What is outside its range is refused with it", arguments: LimitSetting.all.map(\.name))
    func refuses(_ name: String) throws {
        let setting = try #require(LimitSetting.all.first { $0.name == name })
        for value in [setting.range.lowerBound - 1, setting.range.upperBound + 1] {
            var limits = Limits()
            #expect(throws: LimitSetting.Refusal.outside(setting.range)) {
                try LimitSetting.set(name, to: value, in: &limits)
            }
            #expect(limits == Limits())
        }
    }

    @Test("A name that there is not is refused")
    func unknown() {
        var limits = Limits()
        #expect(throws: LimitSetting.Refusal.unknownName) { try LimitSetting.set("topics", to: 1, in: &limits) }
    }

    @Test("docs/site/reference/mqtt.md names each of them, with its default", arguments: LimitSetting.all.map(\.name))
    func documented(_ name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/site/reference/mqtt.md"), encoding: .utf8)
        let setting = try #require(LimitSetting.all.first { $0.name == name })
        let number = setting.value(in: Limits())
        let written = number.formatted(.number.locale(Locale(identifier: "en_US")))
        #expect(text.contains("| `\(name)` | \(written) |"), "| `\(name)` | \(written) |")
    }

    @Test("What was stored under wider limits stays under narrower ones")
    func restored() throws {
        let topic = Array(repeating: "level", count: 400).joined(separator: "/")
        var broker = Broker(limits: Limits())
        broker.restore([.retained(StoredMessage(topic, "kept"))])
        let id = try broker.connect("a")
        _ = broker.subscribe(id, to: try TopicFilter("#"), .atMostOnce)
        #expect(broker.drain(id).map(\.message.topic) == [topic])
    }

    @Test(
        "A will to a topic above the limits is refused in a CONNACK, and let in where they are lifted",
        arguments: [4, 5])
    func willTopic(_ level: UInt8) throws {
        let topic = try TopicName(String(repeating: "t", count: 2_000), limits: .conformance)
        let version = try #require(ProtocolVersion(rawValue: level))
        let connect = Connect(clientID: "a", will: Will(topic: topic, payload: []), version: version)
        var machine = ConnectionMachine(connection: 1, limits: Limits(), now: .now())
        #expect(try machine.receive(.connect(connect), at: .now()) == .refuse(.topicNameInvalid))
        machine = ConnectionMachine(connection: 1, limits: .conformance, now: .now())
        #expect(try machine.receive(.connect(connect), at: .now()) == .authenticate(connect))
    }
}
