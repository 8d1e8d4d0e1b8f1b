import MQTT
import Metrics

/// The listener's statistics as swift-metrics counters and gauges, reported from its timer rather than per message.
struct ListenerMeter {
    private let received = Counter(label: "tandem_mqtt_messages_received")
    private let sent = Counter(label: "tandem_mqtt_messages_sent")
    private let dropped = Counter(label: "tandem_mqtt_messages_dropped")
    private let connections = Gauge(label: "tandem_mqtt_connections")
    private let sessions = Gauge(label: "tandem_mqtt_sessions")
    private var last = ListenerStatistics()

    mutating func report(_ statistics: ListenerStatistics) {
        guard statistics != last else { return }
        received.increment(by: statistics.received - last.received)
        sent.increment(by: statistics.sent - last.sent)
        dropped.increment(by: statistics.dropped - last.dropped)
        connections.record(statistics.connections)
        sessions.record(statistics.sessions)
        last = statistics
    }
}
