import HubKit
import NIOCore
import Wire

/// A topic that a device published to and that is not below its own, with what its page says of it.
struct ForeignTopic {
    private let topic: ByteBuffer
    private let prefix: String

    /// Creates the topic from what came.
    ///
    /// - Parameters:
    ///   - topic: the topic as it came.
    ///   - prefix: the beginning of the device's own topics.
    init(_ topic: ByteBuffer, prefix: String) {
        self.topic = topic
        self.prefix = prefix
    }

    /// The line for the page of the device; nil for how the device is, and for what a broker tells of itself.
    var rejection: BadMessage? {
        guard !isStateTopic(topic.readableBytesUInt8Span) else { return nil }
        let levels = String(buffer: topic).split(separator: "/", omittingEmptySubsequences: false)
        if levels[0].hasPrefix("$") { return nil }
        if levels.count > 2, levels.last == "config" {
            return BadMessage(
                "Put aside: it announces itself to Home Assistant, which needs no care here. ESPHome stops that with"
                    + " “discovery: false” below “mqtt:”, Tasmota with “SetOption19 0”.")
        }
        let remedy = "This one publishes to “\(prefix)” and the name of what it measures: set that as its topic."
        return levels[0] == "tandem"
            ? BadMessage("Put aside: this topic is another device’s. \(remedy)")
            : BadMessage("Put aside: this topic is not the device’s own. \(remedy)")
    }
}
