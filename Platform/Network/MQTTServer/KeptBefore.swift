import NIOCore

/// The payloads that were kept of topics when a connection began, while its client tells what it has kept itself.
///
/// mosquitto 2.0.11's bridge puts what it has kept into its queue before it connects, and sends it behind what is measured
/// until the CONNACK has come: 42, 42, 41.5, or with MQTT 5.0 also 42, 41.5, 42, where 41.5 was kept and 42 was measured once.
/// So what was kept before is old once, in whichever order it comes. What comes a second time behind another value is so:
/// values that were measured while the hub was away are all handed on, and the last of them is told twice more.
struct KeptBefore {
    /// The payloads by topic; nil once one was told behind another.
    private var payloads: [ByteBuffer: [UInt8]?] = [:]

    /// Notes what was kept of a topic before the connection, unless that is known.
    mutating func note(_ payload: [UInt8], topic: ByteBuffer) {
        guard payloads[topic] == nil else { return }
        // A copy of its own, not a slice of what was received.
        payloads[ByteBuffer(bytes: topic.readableBytesView)] = .some(payload)
    }

    /// Whether a message that is not what is kept now is what was kept before, told behind another for the first time.
    mutating func takes(_ payload: ByteBuffer, topic: ByteBuffer) -> Bool {
        guard let known = payloads[topic] ?? nil, known.elementsEqual(payload.readableBytesView) else { return false }
        payloads[topic] = .some(nil)
        return true
    }

    /// Forgets all, since the client has told what it had kept.
    mutating func forget() {
        guard !payloads.isEmpty else { return }
        payloads = [:]
    }
}
