/// Whether a topic tells how a device is, in words. What it measures may stand in an object among them, or be a bare number.
///
/// Its last level is one of those that firmware and bridges use for that, such as ESPHome's `status` and `debug`, Tasmota's
/// `LWT`, `INFO1` and `RESULT`, Zigbee2MQTT's `availability`, Shelly's `online`, `announce` and `events/rpc`. So are Tasmota's
/// `tele/…/STATE`, Zigbee2MQTT's `bridge/state`, the `state` of what ESPHome calls no sensor, such as
/// `binary_sensor/leak/state`, and attributes (``isAttributeTopic(_:)``).
public func isStateTopic(_ topic: Span<UInt8>) -> Bool {
    let last = topic.extracting(level(0, fromEndOf: topic))
    let isKnown = matchesIgnoringCase(
        last,
        oneOf: [
            "status", "debug", "lwt", "availability", "online", "connected", "health", "log", "logs", "info", "version",
            "info1", "info2", "info3", "result", "announce", "rpc", "heartbeat", "birth", "will", "uptime", "ip", "mac",
            "hostname", "sys", "wifi", "cloud", "mqtt", "ble", "boot", "ota",
        ])
    if isKnown || isAttributeTopic(topic) { return true }
    guard matchesIgnoringCase(last, "state") else { return false }
    return matchesIgnoringCase(topic.extracting(level(1, fromEndOf: topic)), oneOf: ["tele", "bridge"])
        || matchesIgnoringCase(
            topic.extracting(level(2, fromEndOf: topic)),
            oneOf: ["tele", "binary_sensor", "text_sensor", "switch", "button", "light", "select", "update", "event"])
}

/// Whether a level of a topic begins with `$`, as the attributes of Homie's devices do: `$state`, `$homie`, `$stats/uptime`.
public func isAttributeTopic(_ topic: Span<UInt8>) -> Bool {
    for index in 0..<topic.count where topic[index] == UInt8(ascii: "$") {
        if index == 0 || topic[index - 1] == UInt8(ascii: "/") { return true }
    }
    return false
}

/// The place of a topic's level, 0 the last one; empty where there is none.
private func level(_ number: Int, fromEndOf topic: Span<UInt8>) -> Range<Int> {
    var end = topic.count
    var left = number
    while true {
        var start = end
        while start > 0, topic[start - 1] != UInt8(ascii: "/") { start -= 1 }
        if left == 0 { return start..<end }
        guard start > 0 else { return 0..<0 }
        left -= 1
        end = start - 1
    }
}
