import HubKit
import NIOCore
import Testing

@testable import Devices

@Suite("The topics of a kind of device")
struct DeviceTopicsTests {
    @Test(
        "A kind’s reader is given the topics that the kind declares from the device, and the others are reported",
        arguments: [
            ("light", true), ("axis/x", true), ("axis/x/y", false), ("command", false), ("axis/command", false),
            ("errors", false), ("other", false),
        ])
    func declaredTopics(tail: String, isRead: Bool) throws {
        let kind = DeviceKind(
            name: "bench", title: "Bench",
            topics: [.fromDevice("axis/+"), .fromDevice("light"), .toDevice("axis/command"), .toDevice("command")])
        let topics = try DeviceTopics(kind, companion: "bench")
        #expect(topics.isFromDevice(ByteBuffer(string: tail)) == isRead)
    }

    @Test("By default a kind’s reader is given all but the errors, which are the hub’s to say")
    func defaultTopics() throws {
        let topics = try DeviceTopics(DeviceKind(name: "bench", title: "Bench"), companion: "bench")
        #expect(topics.isFromDevice(ByteBuffer(string: "a/b/c")))
        #expect(!topics.isFromDevice(ByteBuffer(string: "errors")))
    }
}
