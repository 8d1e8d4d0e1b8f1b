import NIOCore

/// The session of one client id of one principal (section 4.1): its subscriptions, and the messages for it.
///
/// A message of QoS 1 or 2 has a sequence number, which rises within the session and is stored. Its packet identifier
/// is derived from that number, so that a message that is sent again, even by a restarted server, keeps its identifier
/// [MQTT-4.4.0-1].
public struct MQTTSession: Sendable {
    /// A message for the client.
    public struct Delivery: Sendable, Equatable {
        /// The message.
        public var message: StoredMessage
        /// The sequence number; nil with QoS 0.
        public var sequence: UInt64?
        /// The terms on which it is sent.
        public var terms: DeliveryTerms
        /// Whether it may have been sent before.
        public var isDuplicate: Bool
        /// Whether the client has the message of QoS 2 already, so that only a PUBREL is sent [MQTT-4.3.3-4].
        public var isReleased = false

        /// The RETAIN flag: set if the message was retained when the client subscribed [MQTT-3.3.1-8], or is sent as
        /// published.
        public var retain: Bool { terms.retain }
        /// The packet identifier; nil with QoS 0.
        public var packetID: UInt16? { sequence.map(MQTTSession.packetID(for:)) }
    }

    /// The outcome of offering a message to a session.
    public enum Offer: Sendable, Equatable {
        /// The message has to be sent now. The sequence number is nil with QoS 0.
        case send(sequence: UInt64?)
        /// The message waits in the queue.
        case queued(sequence: UInt64?)
        /// The message was dropped by the limits.
        case dropped
        /// The message of QoS 0 was not kept, since the client is absent.
        case skipped
    }

    private struct InFlight {
        var sequence: UInt64
        /// The message; nil in a session that ends with its connection, which never sends again.
        var delivery: Delivery?
        /// Bytes that it holds.
        var size: Int { delivery?.message.size ?? 0 }
        var isExactlyOnce: Bool
        var isReleased: Bool
    }

    /// The principal and client id.
    public let key: MQTTSessionKey
    /// Whether the session outlives the network connection, and so is stored.
    public let isPersistent: Bool
    /// Whether its client is connected.
    public internal(set) var isConnected = false
    /// The time for which it outlives the network connection: `UInt32.max` for ever (MQTT 5.0, section 3.1.2.11.2).
    public internal(set) var expirySeconds: UInt32
    /// The time at which it ends, in UTC milliseconds; nil while its client is connected, and if it is kept for ever.
    public internal(set) var expiresAt: Int64?
    /// The subscriptions, with what was granted.
    public internal(set) var subscriptions: [TopicFilter: SubscriptionOptions] = [:]
    /// The number of unacknowledged messages that the client takes.
    var window = Int.max
    /// Retained messages that new subscriptions are still to be sent.
    var replays = Replays()
    /// The number of the client's last departure, counted by the broker.
    var departure: UInt64 = 0
    /// Packet ids of messages of QoS 2 that came from the client, which has not released them [MQTT-4.3.3-10].
    var unreleased: Set<UInt16> = []
    /// The packet ids of messages that were delivered but could not be stored, and will be repeated.
    var withdrawn: Set<UInt16> = []
    /// Whether its will is stored.
    var hasStoredWill = false

    private var inFlight = CircularBuffer<InFlight>(initialCapacity: 1)
    private var queue = CircularBuffer<Delivery>(initialCapacity: 1)
    /// Bytes that wait, topics and payloads.
    private(set) var queuedBytes = 0
    /// Bytes of messages on their way, which are held until they are acknowledged.
    private var inFlightBytes = 0
    private var nextSequence: UInt64 = 1

    /// Messages that wait.
    var queuedMessages: Int { queue.count }
    /// Messages that were sent and are not acknowledged.
    var messagesInFlight: Int { inFlight.count }

    init(key: MQTTSessionKey, isPersistent: Bool, expirySeconds: UInt32? = nil) {
        self.key = key
        self.isPersistent = isPersistent
        self.expirySeconds = expirySeconds ?? (isPersistent ? .max : 0)
    }

    /// The packet identifier of a sequence number: 1 to 65,535 in turn. It is unique among unacknowledged messages as
    /// long as they are within 65,535 numbers.
    public static func packetID(for sequence: UInt64) -> UInt16 { UInt16((sequence - 1) % 65_535) + 1 }

    /// The number of messages that wait for the client or for its acknowledgement.
    public var backlog: Int { queue.count + inFlight.count }
    var isQueueEmpty: Bool { queue.isEmpty }

    /// Whether one more message of QoS 1 or 2 may be sent: within the client's number of messages, and with no more
    /// bytes unacknowledged than may wait, but at least one message.
    private func hasWindow(for sequence: UInt64, size: Int, _ limits: Limits) -> Bool {
        guard let first = inFlight.first else { return true }
        return inFlight.count < min(limits.messagesInFlight, window) && sequence - first.sequence < 65_535
            && (!isPersistent || inFlightBytes + size <= limits.queuedBytes)
    }

    private mutating func send(_ entry: InFlight) {
        inFlightBytes += entry.size
        inFlight.append(entry)
    }

    /// Offers a message to the session.
    ///
    /// - Parameters:
    ///   - terms: the terms on which it is sent.
    ///   - size: the size of topic and payload, in bytes.
    ///   - isWritable: whether the network connection takes more right now.
    ///   - mayQueue: whether the message may wait; a retained message waits elsewhere.
    ///   - limits: the limits for clients.
    ///   - message: makes a copy, if one has to be kept.
    mutating func offer(
        _ terms: DeliveryTerms, size: Int, isWritable: Bool, mayQueue: Bool = true, limits: Limits,
        message: () -> StoredMessage
    ) -> Offer {
        let needsWindow = terms.qualityOfService != .atMostOnce
        guard isConnected || (isPersistent && needsWindow) else { return .skipped }
        if isConnected, isWritable, queue.isEmpty,
            !needsWindow || hasWindow(for: nextSequence, size: size, limits)
        {
            guard needsWindow else { return .send(sequence: nil) }
            let sequence = takeSequence()
            let delivery =
                isPersistent ? Delivery(message: message(), sequence: sequence, terms: terms, isDuplicate: false) : nil
            send(
                InFlight(
                    sequence: sequence, delivery: delivery, isExactlyOnce: terms.qualityOfService == .exactlyOnce,
                    isReleased: false))
            return .send(sequence: sequence)
        }
        guard mayQueue, queue.count < limits.queuedMessages, queuedBytes + size <= limits.queuedBytes else {
            return .dropped
        }
        let sequence = needsWindow ? takeSequence() : nil
        append(Delivery(message: message(), sequence: sequence, terms: terms, isDuplicate: false))
        return .queued(sequence: sequence)
    }

    /// The next message that may be sent, nil while there is none or the window is full. One of QoS 1 or 2 counts as sent.
    mutating func next(limits: Limits) -> Delivery? {
        guard let first = queue.first else { return nil }
        if let sequence = first.sequence {
            guard hasWindow(for: sequence, size: first.message.size, limits) else { return nil }
            send(
                InFlight(
                    sequence: sequence, delivery: isPersistent ? first : nil,
                    isExactlyOnce: first.terms.qualityOfService == .exactlyOnce, isReleased: first.isReleased))
        }
        queue.removeFirst()
        queuedBytes -= first.message.size
        return first
    }

    // MARK: Answers of the client

    /// Handles the end of a message's delivery: the client has it, or has refused it.
    ///
    /// - Returns: the sequence number; nil if there is no such message.
    mutating func acknowledge(packetID: UInt16) -> UInt64? {
        guard let index = index(of: packetID) else { return nil }
        let entry = inFlight.remove(at: index)
        inFlightBytes -= entry.size
        return entry.sequence
    }

    /// The outcome of a PUBREC.
    enum Release {
        /// The message is released, and a PUBREL has to follow; the first time, the sequence number has to be stored.
        case release(sequence: UInt64, isNew: Bool)
        /// The message is unknown: reason code 0x92 in MQTT 5.0.
        case unknown
    }

    /// The client has the message of QoS 2 with this packet id [MQTT-4.3.3-4].
    mutating func release(packetID: UInt16) -> Release {
        guard let index = index(of: packetID), inFlight[index].isExactlyOnce else { return .unknown }
        let isNew = !inFlight[index].isReleased
        inFlight[index].isReleased = true
        inFlightBytes -= inFlight[index].size
        inFlight[index].delivery?.becomeReleased()
        inFlightBytes += inFlight[index].size
        return .release(sequence: inFlight[index].sequence, isNew: isNew)
    }

    /// The index of a message that was sent: the first, unless the client acknowledges out of order.
    private func index(of packetID: UInt16) -> CircularBuffer<InFlight>.Index? {
        inFlight.firstIndex { MQTTSession.packetID(for: $0.sequence) == packetID }
    }

    // MARK: Coming and going

    /// Handles the end of the network connection: unacknowledged messages return to the head of the queue, to be sent
    /// again in the same order [MQTT-4.6.0-1]; those of QoS 0 are dropped.
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
        inFlightBytes = 0
        queue = waiting
        queuedBytes = waiting.reduce(0) { $0 + $1.message.size }
    }

    /// Restores a stored message. It may have been sent before the server stopped, so it counts as a duplicate.
    mutating func restore(_ message: StoredMessage, sequence: UInt64, _ terms: DeliveryTerms) {
        append(Delivery(message: message, sequence: sequence, terms: terms, isDuplicate: true))
        nextSequence = max(nextSequence, sequence + 1)
    }

    /// Marks a restored message as received by the client.
    mutating func restoreRelease(sequence: UInt64) {
        guard let index = queue.firstIndex(where: { $0.sequence == sequence }) else { return }
        queuedBytes -= queue[index].message.size
        queue[index].becomeReleased()
        queuedBytes += queue[index].message.size
    }

    /// Removes a restored message that was delivered.
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

extension MQTTSession.Delivery {
    /// Drops the payload, which is not needed any more.
    fileprivate mutating func becomeReleased() {
        isReleased = true
        message.payload = []
        message.properties = []
        message.expiresAt = nil
    }
}
