import HubKit
import NIOCore

/// A topic that a device published to and that is not below its own, with what its page says of it.
struct ForeignTopic {
    /// Last levels of topics by which firmware and bridges tell how they are, and nothing that was measured: ESPHome,
    /// Tasmota, Zigbee2MQTT, Shelly, mosquitto.
    private static let ofState: Set<String> = [
        "availability", "bridge", "connected", "debug", "health", "info", "log", "logging", "lwt", "online", "state",
        "status",
        "version",
    ]

    private let levels: [Substring]
    private let prefix: String

    /// Creates the topic from what came.
    ///
    /// - Parameters:
    ///   - topic: the topic as it came.
    ///   - prefix: the beginning of the device's own topics.
    init(_ topic: ByteBuffer, prefix: String) {
        levels = String(buffer: topic).split(separator: "/", omittingEmptySubsequences: false)
        self.prefix = prefix
    }

    /// The line for the page of the device; nil for how the device is, and for what a broker tells of itself.
    var rejection: BadMessage? {
        guard let first = levels.first, let last = levels.last else { return nil }
        if first.hasPrefix("$") || Self.ofState.contains(last.lowercased()) { return nil }
        if last == "config", levels.count > 2 {
            return BadMessage(
                "Put aside: it announces itself to Home Assistant, which needs no care here. ESPHome stops that with"
                    + " “discovery: false” below “mqtt:”, Tasmota with “SetOption19 0”.")
        }
        if first == "tandem" {
            return BadMessage(
                "Put aside: this topic is another device’s. This one publishes to “\(prefix)” and the name of what it measures,"
                    + " such as “\(prefix)moisture”.")
        }
        return BadMessage(
            "Put aside: this device publishes below “\(prefix)” alone. Set its topic to “\(prefix)moisture”, or to the name of"
                + " what it measures.")
    }
}
