import NIOCore

/// The last message of each topic that was published with RETAIN, section 3.3.1.3, within limits.
struct RetainedMessages: Sendable {
    private struct Entry {
        var topic: ByteBuffer
        var message: StoredMessage
        var size: Int { topic.readableBytes + message.payload.count }
    }

    private var tree = TopicTree<Entry>()
    private(set) var count = 0
    private(set) var bytes = 0

    subscript(topic: ByteBuffer) -> StoredMessage? { tree[topic]?.message }

    /// The topics that have a message and that `filter` matches, in the order of their bytes.
    func topics(under filter: TopicFilter) -> [ByteBuffer] {
        tree.elements(under: filter).map { $0.topic }
            .sorted { $0.readableBytesView.lexicographicallyPrecedes($1.readableBytesView) }
    }

    /// Returns false, and leaves the message of the topic as it is, where the new one would exceed the limits.
    mutating func insert(_ message: StoredMessage, topic: TopicName, limits: Limits) -> Bool {
        let old = tree[topic.bytes]
        let entry = Entry(
            topic: old?.topic ?? ByteBuffer(bytes: topic.bytes.readableBytesView), message: message)
        let newCount = count + (old == nil ? 1 : 0)
        let newBytes = bytes + entry.size - (old?.size ?? 0)
        guard newCount <= limits.retainedMessages, newBytes <= limits.retainedBytes else { return false }
        tree.update(entry.topic) { $0 = entry }
        count = newCount
        bytes = newBytes
        return true
    }

    /// Whether there was one.
    mutating func remove(_ topic: TopicName) -> Bool {
        guard let old = tree[topic.bytes] else { return false }
        tree.update(topic.bytes) { $0 = nil }
        count -= 1
        bytes -= old.size
        return true
    }
}
