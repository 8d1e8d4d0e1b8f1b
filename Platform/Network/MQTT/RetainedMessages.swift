import NIOCore

/// The retained messages, the last of each topic (section 3.3.1.3), within limits in total and for each publisher.
struct RetainedMessages: Sendable {
    /// The position of an iteration over the topics that match a filter.
    enum Position: Sendable, Equatable {
        case start
        /// The topic itself, or the next one if it is gone.
        case at(ByteBuffer)
        case after(ByteBuffer)
    }

    /// The result of one step of the iteration.
    enum Step: Sendable {
        case found(StoredMessage, topic: ByteBuffer)
        /// The budget is spent.
        case paused(Position)
        case end
    }

    /// The number and size of messages, in total or of one publisher.
    private struct Holding {
        var count = 0
        var bytes = 0
    }

    /// The knowledge of a kept message besides itself.
    private struct Mark {
        /// The number of the connection that published it last; nil where that was before the last start.
        var connection: UInt64?
        var reading = Reading.none
    }

    /// Whether the host has read a kept message.
    private enum Reading {
        case none
        /// A reading of it waits for its commit, or went down with it.
        case taken(RetainedReading)
        case stored
    }

    private var messages: [ByteBuffer: StoredMessage] = [:]
    private var marks: [ByteBuffer: Mark] = [:]
    /// The topics in the order of their bytes, so that those with the same prefix are adjacent: a filter costs no more
    /// than the topics below its first wildcard.
    private var topics: [ByteBuffer] = []
    private var total = Holding()
    /// No message expires before, UTC milliseconds.
    private var soonestExpiry = Int64.max
    private var publishers: [Principal: Holding] = [:]

    var count: Int { total.count }
    var bytes: Int { total.bytes }

    subscript(topic: ByteBuffer) -> StoredMessage? { messages[topic] }

    // MARK: Repeating

    /// The comparison of a message with the one that is kept of its topic.
    func repetition(of payload: ByteBuffer, topic: ByteBuffer, by connection: UInt64) -> Repetition {
        guard let held = messages[topic], held.payload.count == payload.readableBytes,
            held.payload.elementsEqual(payload.readableBytesView)
        else { return .none }
        let mark = marks[topic]
        let isOwn = mark?.connection == connection
        switch mark?.reading {
        case nil, Reading.none?: return .none
        // Whoever closed before the commit was told nothing, and says it again. A connection that is there is closed with
        // its commit.
        case .taken(let reading)?: return isOwn && reading.connection == connection ? .same : .none
        case .stored?: return isOwn ? .same : .again
        }
    }

    /// The payload of a topic's message, if it is read and stored and comes not of this connection.
    func kept(topic: ByteBuffer, before connection: UInt64) -> [UInt8]? {
        guard let mark = marks[topic], mark.connection != connection, case .stored = mark.reading else { return nil }
        return messages[topic]?.payload
    }

    /// Notes which connection has published a topic's message.
    mutating func note(_ connection: UInt64, topic: ByteBuffer) {
        guard messages[topic] != nil, marks[topic]?.connection != connection else { return }
        mark(topic) { $0.connection = connection }
    }

    /// Notes that the host has read a topic's message.
    mutating func take(_ reading: RetainedReading, topic: ByteBuffer) {
        guard messages[topic] != nil else { return }
        mark(topic) { $0.reading = .taken(reading) }
    }

    /// Notes that what was read of a topic's message is stored, if it is still that message.
    mutating func committed(_ reading: RetainedReading, topic: ByteBuffer) {
        guard case .taken(reading)? = marks[topic]?.reading else { return }
        marks[topic]?.reading = .stored
    }

    private mutating func mark(_ topic: ByteBuffer, _ change: (inout Mark) -> Void) {
        guard marks[topic] == nil else { return change(&marks[topic, default: Mark()]) }
        // A copy of its own, not a slice of what was received.
        change(&marks[ByteBuffer(bytes: topic.readableBytesView), default: Mark()])
    }

    /// The publisher of a topic's message; nil where there is none.
    func publisher(of topic: TopicName) -> Principal? { messages[topic.bytes]?.publisher }

    // MARK: Changing

    /// Retains a message; false, with the topic's old message kept, if it would exceed the limits. A message that
    /// replaces another of the same publisher and is no larger always fits.
    mutating func insert(_ message: StoredMessage, topic: TopicName, limits: Limits) -> Bool {
        let old = messages[topic.bytes]
        let growth = (count: old == nil ? 1 : 0, bytes: message.size - (old?.size ?? 0))
        let isOwn = old?.publisher == message.publisher
        let own = publishers[message.publisher] ?? Holding()
        let ownGrowth = (count: isOwn ? 0 : 1, bytes: isOwn ? growth.bytes : message.size)
        guard growth.count <= 0 || total.count < limits.retainedMessages,
            growth.bytes <= 0 || total.bytes + growth.bytes <= limits.retainedBytes,
            message.publisher == .hub || ownGrowth.count <= 0 || own.count < limits.retainedMessagesPerPrincipal,
            message.publisher == .hub || ownGrowth.bytes <= 0
                || own.bytes + ownGrowth.bytes <= limits.retainedBytesPerPrincipal
        else { return false }
        put(message, topic: topic)
        return true
    }

    /// Retains a stored message after a restart, without checking limits.
    ///
    /// - Parameter isRead: whether what the host read of it is stored; nil where that is not known, so that it stays as it is.
    mutating func restore(_ message: StoredMessage, topic: TopicName, isRead: Bool?) {
        put(message, topic: topic)
        if let isRead { mark(topic.bytes) { $0.reading = isRead ? .stored : .none } }
    }

    /// Removes a topic's message; false if there was none.
    mutating func remove(_ topic: TopicName) -> Bool {
        guard let old = messages.removeValue(forKey: topic.bytes) else { return false }
        marks[topic.bytes] = nil
        topics.remove(at: lowerBound(topic.bytes))
        count(old, -1)
        return true
    }

    /// Removes a publisher's messages, and returns their topics.
    mutating func removeAll(of publisher: Principal) -> [String] {
        guard publishers[publisher] != nil else { return [] }
        let own = messages.filter { $0.value.publisher == publisher }
        for (topic, message) in own {
            messages[topic] = nil
            marks[topic] = nil
            count(message, -1)
        }
        // At once: to take them out one by one would move the others each time.
        topics.removeAll { own[$0] != nil }
        return own.values.map(\.topic).sorted()
    }

    /// Removes expired messages (MQTT 5.0, section 3.3.2.3.3), and returns their topics.
    mutating func removeExpired(at now: Int64) -> [String] {
        guard soonestExpiry <= now else { return [] }
        let expired = messages.filter { $0.value.isExpired(at: now) }
        for (topic, message) in expired {
            messages[topic] = nil
            marks[topic] = nil
            count(message, -1)
        }
        topics.removeAll { expired[$0] != nil }
        soonestExpiry = messages.values.lazy.compactMap(\.expiresAt).min() ?? .max
        return expired.values.map(\.topic).sorted()
    }

    private mutating func put(_ message: StoredMessage, topic: TopicName) {
        if let expiry = message.expiresAt { soonestExpiry = min(soonestExpiry, expiry) }
        if let old = messages[topic.bytes] {
            count(old, -1)
            messages[topic.bytes] = message
            if old.payload != message.payload { marks[topic.bytes]?.reading = .none }
        } else {
            // A copy of its own, not a slice of what was read.
            let key = ByteBuffer(bytes: topic.bytes.readableBytesView)
            topics.insert(key, at: lowerBound(key))
            messages[key] = message
        }
        count(message, 1)
    }

    private mutating func count(_ message: StoredMessage, _ sign: Int) {
        total.count += sign
        total.bytes += sign * message.size
        var own = publishers[message.publisher] ?? Holding()
        own.count += sign
        own.bytes += sign * message.size
        publishers[message.publisher] = own.count == 0 ? nil : own
    }

    // MARK: Walking

    /// The next message that `filter` matches, in the order of the topics' bytes, except that the parent of a `#` is
    /// first. The budget is charged for each topic that is examined. A message that was found can be found again by
    /// `.at` its topic.
    func next(under filter: TopicFilter, from position: Position, budget: inout WorkBudget) -> Step {
        guard filter.hasWildcard else {
            budget.spend(WorkBudget.Cost.packet)
            if case .after = position { return .end }
            return messages[filter.bytes].map { .found($0, topic: filter.bytes) } ?? .end
        }
        let beginning = filter.literalBeginning
        if let parent = filter.parent, position == .start || position == .at(parent), let message = messages[parent] {
            return .found(message, topic: parent)
        }
        var index =
            switch position {
            case .start: lowerBound(beginning)
            // The parent lies before what is below it.
            case .at(let topic) where topic.precedes(beginning): lowerBound(beginning)
            case .after(let topic) where topic.precedes(beginning): lowerBound(beginning)
            case .at(let topic): lowerBound(topic)
            case .after(let topic): upperBound(topic)
            }
        while index < topics.count, topics[index].starts(with: beginning) {
            let topic = topics[index]
            guard !budget.isSpent else { return .paused(.at(topic)) }
            budget.spend(WorkBudget.Cost.packet)
            if filter.matches(bytesOfName: topic), let message = messages[topic] {
                return .found(message, topic: topic)
            }
            index += 1
        }
        return .end
    }

    /// The first index whose topic does not come before `topic`.
    private func lowerBound(_ topic: ByteBuffer) -> Int {
        var (low, high) = (0, topics.count)
        while low < high {
            let middle = (low + high) / 2
            if topics[middle].precedes(topic) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func upperBound(_ topic: ByteBuffer) -> Int {
        let index = lowerBound(topic)
        return index < topics.count && topics[index] == topic ? index + 1 : index
    }
}

extension ByteBuffer {
    /// Whether these bytes sort before others; a prefix sorts before what it begins.
    fileprivate func precedes(_ other: ByteBuffer) -> Bool {
        withUnsafeReadableBytes { mine in
            other.withUnsafeReadableBytes { theirs in
                for index in 0..<min(mine.count, theirs.count) where mine[index] != theirs[index] {
                    return mine[index] < theirs[index]
                }
                return mine.count < theirs.count
            }
        }
    }

    fileprivate func starts(with beginning: ByteBuffer) -> Bool {
        readableBytes >= beginning.readableBytes
            && getSlice(at: readerIndex, length: beginning.readableBytes) == beginning
    }
}
