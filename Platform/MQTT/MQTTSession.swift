import NIOCore

/// What the server knows of one client id of one principal, section 4.1: subscriptions, and the messages on their way.
///
/// A message of QoS 1 or 2 has a sequence number, which rises within the session and is what is stored. Its packet
/// identifier follows from that number, so that a message that is sent again, even by a restarted server, keeps its
/// identifier [MQTT-4.4.0-1].
public struct MQTTSession: Sendable {
    /// A message for the client.
    public struct Delivery: Sendable, Equatable {
        public var message: StoredMessage
        /// Nil with QoS 0.
        public var sequence: UInt64?
        public var terms: DeliveryTerms
        public var isDuplicate: Bool
        /// The client has the message of QoS 2 already: a PUBREL is all that is to be sent [MQTT-4.3.3-4].
        public var isReleased = false

        /// It was retained when the client subscribed [MQTT-3.3.1-8], or is to look as it was published.
        public var retain: Bool { terms.retain }
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
        /// Bytes that it holds.
        var size: Int { delivery?.message.size ?? 0 }
        var isExactlyOnce: Bool
        var isReleased: Bool
    }

    public let key: MQTTSessionKey
    /// Whether it outlives the network connection, and so is stored.
    public let isPersistent: Bool
    public internal(set) var isConnected = false
    /// How long it outlives the network connection: `UInt32.max` for good, MQTT 5.0, section 3.1.2.11.2.
    public internal(set) var expirySeconds: UInt32
    /// When it ends, UTC milliseconds; nil while its client is there, and where it lives for good.
    public internal(set) var expiresAt: Int64?
    /// Filters held, with what was granted.
    public internal(set) var subscriptions: [TopicFilter: SubscriptionOptions] = [:]
    /// How many messages may be on their way to the client at once.
    var window = Int.max
    /// Retained messages that new subscriptions are still to be sent.
    var replays = Replays()
    /// When the client was last there, as a count of departures in the broker.
    var departure: UInt64 = 0
    /// Packet ids of messages of QoS 2 that came from the client, which has not released them [MQTT-4.3.3-10].
    var unreleased: Set<UInt16> = []
    /// Of messages that were handed on, could not be stored, and are to come again.
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

    /// The packet identifier of a sequence number: 1 to 65,535 in turn. Unique among the unacknowledged as long as they lie within 65,535 numbers.
    public static func packetID(for sequence: UInt64) -> UInt16 { UInt16((sequence - 1) % 65_535) + 1 }

    /// How many messages wait for the client or for its acknowledgement.
    public var backlog: Int { queue.count + inFlight.count }
    var isQueueEmpty: Bool { queue.isEmpty }

    /// Whether one more message of QoS 1 or 2 may go out: as many as the client takes, and what is held for it has no more
    /// bytes than may wait, but for one message.
    private func hasWindow(for sequence: UInt64, size: Int, _ limits: Limits) -> Bool {
        guard let first = inFlight.first else { return true }
        return inFlight.count < min(limits.messagesInFlight, window) && sequence - first.sequence < 65_535
            && (!isPersistent || inFlightBytes + size <= limits.queuedBytes)
    }

    private mutating func send(_ entry: InFlight) {
        inFlightBytes += entry.size
        inFlight.append(entry)
    }

    /// Takes a message that somebody published.
    ///
    /// - Parameters:
    ///   - size: bytes of topic and payload.
    ///   - isWritable: whether the network connection takes more right now.
    ///   - mayQueue: whether it may wait; a retained message waits elsewhere.
    ///   - message: makes the copy, where one is stored.
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

    /// The client has the message with this packet id, or will never have it. Returns its sequence number, nil if none was
    /// on its way.
    mutating func acknowledge(packetID: UInt16) -> UInt64? {
        guard let index = index(of: packetID) else { return nil }
        let entry = inFlight.remove(at: index)
        inFlightBytes -= entry.size
        return entry.sequence
    }

    /// What a PUBREC came to.
    enum Release {
        /// The message is released, and a PUBREL is to say so; the first time the sequence number is to be stored.
        case release(sequence: UInt64, isNew: Bool)
        /// There is no such message: MQTT 5.0's reason code 0x92.
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

    /// The first, unless the client acknowledges out of order.
    private func index(of packetID: UInt16) -> CircularBuffer<InFlight>.Index? {
        inFlight.firstIndex { MQTTSession.packetID(for: $0.sequence) == packetID }
    }

    // MARK: Coming and going

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
        inFlightBytes = 0
        queue = waiting
        queuedBytes = waiting.reduce(0) { $0 + $1.message.size }
    }

    /// A message that was stored before the server stopped. Whether it was sent is not known: it might be a duplicate.
    mutating func restore(_ message: StoredMessage, sequence: UInt64, _ terms: DeliveryTerms) {
        append(Delivery(message: message, sequence: sequence, terms: terms, isDuplicate: true))
        nextSequence = max(nextSequence, sequence + 1)
    }

    /// A restored message turns out to have been received.
    mutating func restoreRelease(sequence: UInt64) {
        guard let index = queue.firstIndex(where: { $0.sequence == sequence }) else { return }
        queuedBytes -= queue[index].message.size
        queue[index].becomeReleased()
        queuedBytes += queue[index].message.size
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

extension MQTTSession.Delivery {
    /// The message itself is needed no longer.
    fileprivate mutating func becomeReleased() {
        isReleased = true
        message.payload = []
        message.properties = []
        message.expiresAt = nil
    }
}
