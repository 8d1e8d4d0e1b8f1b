/// The reason why an `MQTTListener` did not start.
public enum ListenerError: Error, Equatable, CustomStringConvertible {
    /// Another program is listening on the port.
    case portInUse(host: String, port: Int)
    /// The operating system refused.
    case cannotListen(host: String, port: Int, reason: String)

    /// The listener has not started, or has stopped.
    case notListening

    public var description: String {
        switch self {
        case .portInUse(let host, let port):
            "MQTT port \(port) on \(host) is in use by another program: stop that one or choose another port."
        case .cannotListen(let host, let port, let reason):
            "MQTT cannot listen on \(host) port \(port): \(reason)"
        case .notListening: "MQTT takes no client now: the hub starts or stops."
        }
    }
}
