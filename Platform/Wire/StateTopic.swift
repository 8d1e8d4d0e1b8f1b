/// Whether a topic tells how a device is, in words, and nothing that it measures: its last level is one of those that firmware
/// and bridges use for that, such as ESPHome's `status` and `debug`, Tasmota's `LWT`, Zigbee2MQTT's `availability`, Shelly's
/// `online`.
public func isStateTopic(_ topic: Span<UInt8>) -> Bool {
    var start = topic.count
    while start > 0, topic[start - 1] != UInt8(ascii: "/") { start -= 1 }
    let last = topic.extracting(start..<topic.count)
    return matchesIgnoringCase(
        last,
        oneOf: [
            "status", "debug", "lwt", "availability", "online", "connected", "health", "log", "logs", "info", "version",
        ])
}
