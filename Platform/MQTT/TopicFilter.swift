import NIOCore

/// What somebody subscribes to: a topic that may have wildcards, section 4.7.
///
/// `+` stands for one level, `#` at the end for its parent and all below. A wildcard at the start does not match topics
/// that begin with `$` [MQTT-4.7.2-1].
public struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
    /// The UTF-8 bytes.
    public let bytes: ByteBuffer
    /// Whether a level is `+` or `#`.
    public let hasWildcard: Bool

    /// - Parameter bytes: the readable bytes are the filter; they are copied, because a subscription is kept.
    /// - Throws: the clause that the filter breaks.
    public init(bytes: ByteBuffer) throws(ProtocolViolation) {
        guard bytes.readableBytes > 0 else { throw .emptyTopic }
        _ = try bytes.validatedText()
        var hasWildcard = false
        var isComplete = false
        for level in TopicLevels(bytes) {
            guard !isComplete else { throw .multiLevelWildcard }
            if level.isMultiLevelWildcard {
                isComplete = true
                hasWildcard = true
            } else if level.isSingleLevelWildcard {
                hasWildcard = true
            } else {
                for byte in level.readableBytesView {
                    if byte == UInt8(ascii: "#") { throw .multiLevelWildcard }
                    if byte == UInt8(ascii: "+") { throw .singleLevelWildcard }
                }
            }
        }
        self.bytes = ByteBuffer(bytes: bytes.readableBytesView)
        self.hasWildcard = hasWildcard
    }

    /// - Throws: the clause that the filter breaks.
    public init(_ text: String) throws(ProtocolViolation) {
        guard text.utf8.count <= Int(UInt16.max) else { throw .longTopic }
        try self.init(bytes: ByteBuffer(string: text))
    }

    public var description: String { String(buffer: bytes) }

    /// How many levels the filter has, at least one.
    public var levelCount: Int { bytes.readableBytesView.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } }

    /// Whether a message on `topic` reaches a subscriber to this filter.
    public func matches(_ topic: TopicName) -> Bool { covers(topic.bytes) }

    /// Whether every topic that `other` matches is matched by this filter too: the test of a wanted subscription
    /// against a granted one.
    public func covers(_ other: TopicFilter) -> Bool { covers(other.bytes) }

    /// A name is a filter without wildcards, so that one walk answers both questions.
    private func covers(_ other: ByteBuffer) -> Bool {
        var mine = TopicLevels(bytes)
        var theirs = TopicLevels(other)
        var isFirst = true
        while let level = mine.next() {
            let their = theirs.next()
            if isFirst, their?.isReservedTopic == true, level.isSingleLevelWildcard || level.isMultiLevelWildcard {
                return false
            }
            isFirst = false
            if level.isMultiLevelWildcard { return true }
            guard let their, level.isSingleLevelWildcard ? !their.isMultiLevelWildcard : level == their else {
                return false
            }
        }
        return theirs.next() == nil
    }
}
