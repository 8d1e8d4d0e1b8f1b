import NIOCore

/// What the server knows of one client id of one principal, section 4.1: subscriptions, and the messages on their way.
///
/// A message of QoS 1 has a sequence number, which rises within the session and is what is stored. Its packet
/// identifier follows from that number, so that a message that is sent again, even by a restarted server, keeps its
/// identifier [MQTT-4.4.0-1].
public struct MQTTSession: Sendable {
    /// A message for the client.
    public struct Delivery: Sendable, Equatable {
        public var message: StoredMessage
        /// Nil with QoS 0.
        public var sequence: UInt64?
        /// It was retained when the client subscribed [MQTT-3.3.1-8].
        public var retain: Bool
        public var isDuplicate: Bool

        public var packetID: UInt16? { sequence.map(MQTTSession.packetID(for:)) }
    }

    /// What became of a message for this session.
    public enum Offer: Sendable, Equatable {
        /// Write it now. The sequence number is nil with QoS 0.
        case send(sequence: UInt64?)
        /// It waits in the queue.
        case queued(sequence: UInt64?)
        /// The limits are reached.
        case dropped
        /// QoS 0 for a client that is absent: not kept.
        case skipped
    }

    private struct InFlight {
        var sequence: UInt64
        /// Nil in a session that ends with its connection: it never sends again.
        var delivery: Delivery?
    }

    public let key: MQTTSessionKey
    /// Whether it outlives the network connection: the CONNECT had clean session 0.
    public let isPersistent: Bool
    public internal(set) var isConnected = false
    /// Filters held, with the quality of service granted.
    public internal(set) var subscriptions: [TopicFilter: QualityOfService] = [:]
    /// Retained messages that new subscriptions are still to be sent.
    var replays = Replays()
    /// When the client was last there, as a count of departures in the broker.
    var departure: UInt64 = 0

    private var inFlight = CircularBuffer<InFlight>(initialCapacity: 1)
    private var queue = CircularBuffer<Delivery>(initialCapacity: 1)
    private var queuedBytes = 0
    private var nextSequence: UInt64 = 1

    init(key: MQTTSessionKey, isPersistent: Bool) {
        self.key = key
        self.isPersistent = isPersistent
    }

    /// The packet identifier of a sequence number: 1 to 65,535 in turn. Unique among the unacknowledged as long as they lie within 65,535 numbers.
    public static func packetID(for sequence: UInt64) -> UInt16 { UInt16((sequence - 1) % 65_535) + 1 }

    /// How many messages wait for the client or for its acknowledgement.
    public var backlog: Int { queue.count + inFlight.count }
    var isQueueEmpty: Bool { queue.isEmpty }

    /// Whether one more message of QoS 1 may go out.
    func hasWindow(_ limits: Limits) -> Bool {
        guard let first = inFlight.first else { return true }
        return inFlight.count < limits.messagesInFlight && nextSequence - first.sequence < 65_535
    }

    /// Takes a message that somebody published.
    ///
    /// - Parameters:
    ///   - qualityOfService: the lower of the message's and the subscription's [MQTT-3.8.4-6].
    ///   - size: bytes of topic and payload.
    ///   - isWritable: whether the network connection takes more right now.
    ///   - mayQueue: whether it may wait; a retained message waits elsewhere.
    ///   - message: makes the copy, where one is stored.
    mutating func offer(
        _ qualityOfService: QualityOfService, size: Int, isWritable: Bool, retain: Bool = false, mayQueue: Bool = true,
        limits: Limits, message: () -> StoredMessage
    ) -> Offer {
        guard isConnected || (isPersistent && qualityOfService != .atMostOnce) else { return .skipped }
        let needsWindow = qualityOfService != .atMostOnce
        if isConnected, isWritable, queue.isEmpty, !needsWindow || hasWindow(limits) {
            guard needsWindow else { return .send(sequence: nil) }
            let sequence = takeSequence()
            let delivery =
                isPersistent
                ? Delivery(message: message(), sequence: sequence, retain: retain, isDuplicate: false) : nil
            inFlight.append(InFlight(sequence: sequence, delivery: delivery))
            return .send(sequence: sequence)
        }
        guard mayQueue, queue.count < limits.queuedMessages, queuedBytes + size <= limits.queuedBytes else {
            return .dropped
        }
        let sequence = needsWindow ? takeSequence() : nil
        append(Delivery(message: message(), sequence: sequence, retain: retain, isDuplicate: false))
        return .queued(sequence: sequence)
    }

    /// The next message that may be sent, nil while there is none or the window is full. One of QoS 1 counts as sent.
    mutating func next(limits: Limits) -> Delivery? {
        guard let first = queue.first else { return nil }
        if let sequence = first.sequence {
            if let oldest = inFlight.first {
                guard inFlight.count < limits.messagesInFlight, sequence - oldest.sequence < 65_535 else { return nil }
            }
            inFlight.append(InFlight(sequence: sequence, delivery: isPersistent ? first : nil))
        }
        queue.removeFirst()
        queuedBytes -= first.message.size
        return first
    }

    /// The client has the message with this packet id. Returns its sequence number, nil if none was on its way.
    mutating func acknowledge(packetID: UInt16) -> UInt64? {
        // The first, unless the client acknowledges out of order.
        guard let index = inFlight.firstIndex(where: { MQTTSession.packetID(for: $0.sequence) == packetID }) else {
            return nil
        }
        return inFlight.remove(at: index).sequence
    }

    /// The network connection is gone: what was on its way goes back to the head of the queue, to be sent again in the
    /// same order [MQTT-4.6.0-1]; QoS 0 is forgotten.
    mutating func disconnect() {
        isConnected = false
        replays.keepAcknowledged()
        var waiting = CircularBuffer<Delivery>(initialCapacity: 1)
        for entry in inFlight {
            guard var delivery = entry.delivery else { continue }
            delivery.isDuplicate = true
            waiting.append(delivery)
        }
        for delivery in queue where delivery.sequence != nil { waiting.append(delivery) }
        inFlight = CircularBuffer(initialCapacity: 1)
        queue = waiting
        queuedBytes = waiting.reduce(0) { $0 + $1.message.size }
    }

    /// A message that was stored before the server stopped. Whether it was sent is not known: it might be a duplicate.
    mutating func restore(_ message: StoredMessage, sequence: UInt64) {
        append(Delivery(message: message, sequence: sequence, retain: false, isDuplicate: true))
        nextSequence = max(nextSequence, sequence + 1)
    }

    /// A restored message turns out to have been delivered.
    mutating func forget(sequence: UInt64) {
        guard let index = queue.firstIndex(where: { $0.sequence == sequence }) else { return }
        queuedBytes -= queue.remove(at: index).message.size
    }

    private mutating func append(_ delivery: Delivery) {
        queue.append(delivery)
        queuedBytes += delivery.message.size
    }

    private mutating func takeSequence() -> UInt64 {
        defer { nextSequence += 1 }
        return nextSequence
    }
}

extension StoredMessage {
    /// Bytes of topic and payload.
    var size: Int { topic.utf8.count + payload.count }
}
