import NIOCore

/// A topic filter of a subscription, which may have wildcards (section 4.7).
///
/// `+` matches one level, `#` at the end matches its parent and everything below. A wildcard at the start does not
/// match topics that begin with `$` [MQTT-4.7.2-1].
public struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
    /// The UTF-8 bytes.
    public let bytes: ByteBuffer
    /// Whether a level is `+` or `#`.
    public let hasWildcard: Bool
    /// The number of bytes before the filter of a shared subscription: `$share/`, the group's name and a slash (MQTT
    /// 5.0, section 4.8.2).
    private let shareLength: Int

    /// Checks and copies a filter.
    ///
    /// - Parameter bytes: the readable bytes are the filter.
    /// - Throws: a violation that names the clause.
    public init(bytes: ByteBuffer) throws(ProtocolViolation) {
        guard bytes.readableBytes > 0 else { throw .emptyTopic }
        _ = try bytes.validatedText()
        self.hasWildcard = try Self.check(bytes.readableBytesView)
        shareLength = try Self.shareLength(bytes.readableBytesView)
        self.bytes = ByteBuffer(bytes: bytes.readableBytesView)
    }

    private static let share = Array("$share/".utf8)

    /// The length of a shared subscription's prefix: `$share/`, a name of at least one character without wildcards, and
    /// a slash [MQTT-4.8.2-1], [MQTT-4.8.2-2]; 0 without one.
    private static func shareLength(_ bytes: ByteBufferView) throws(ProtocolViolation) -> Int {
        guard bytes.starts(with: share) else { return 0 }
        let name = bytes.dropFirst(share.count).prefix { $0 != UInt8(ascii: "/") }
        let length = share.count + name.count + 1
        guard !name.isEmpty, bytes.count > length,
            !name.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
        else { throw .sharedFilter }
        return length
    }

    /// Whether it is a shared subscription, of whose members only one receives each message.
    public var isShared: Bool { shareLength > 0 }

    /// The group's name in a shared subscription; nil otherwise.
    public var group: ByteBuffer? {
        isShared
            ? bytes.getSlice(
                at: bytes.readerIndex + Self.share.count, length: shareLength - Self.share.count - 1) : nil
    }

    /// The part that topics are matched against: everything but the prefix of a shared subscription.
    public var matched: ByteBuffer {
        isShared
            ? bytes.getSlice(at: bytes.readerIndex + shareLength, length: bytes.readableBytes - shareLength) ?? bytes
            : bytes
    }

    /// Checks the filter in one pass, since it may have thousands of levels. Returns whether it has a wildcard.
    private static func check(_ bytes: ByteBufferView) throws(ProtocolViolation) -> Bool {
        let slash = UInt8(ascii: "/")
        var hasWildcard = false
        var before = slash
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            let isWhole = before == slash && (index == bytes.endIndex || bytes[index] == slash)
            if byte == UInt8(ascii: "#") {
                guard isWhole, index == bytes.endIndex else { throw .multiLevelWildcard }
                hasWildcard = true
            } else if byte == UInt8(ascii: "+") {
                guard isWhole else { throw .singleLevelWildcard }
                hasWildcard = true
            }
            before = byte
        }
        return hasWildcard
    }

    /// Checks a filter.
    ///
    /// - Throws: a violation that names the clause.
    public init(_ text: String) throws(ProtocolViolation) {
        guard text.utf8.count <= Int(UInt16.max) else { throw .longTopic }
        try self.init(bytes: ByteBuffer(string: text))
    }

    public var description: String { String(buffer: bytes) }

    /// The number of levels, at least one.
    public var levelCount: Int { bytes.readableBytesView.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } }

    /// Whether a message on `topic` reaches a subscriber of this filter.
    public func matches(_ topic: TopicName) -> Bool { covers(topic.bytes) }

    /// Whether the filter matches bytes that are known to be a topic name.
    func matches(bytesOfName topic: ByteBuffer) -> Bool { covers(topic) }

    /// The prefix of all topics that it matches, up to its first wildcard level; except for the parent of a `#`.
    var literalBeginning: ByteBuffer {
        let bytes = matched
        var length = 0
        for level in TopicLevels(bytes) {
            if level.isSingleLevelWildcard || level.isMultiLevelWildcard { break }
            length += level.readableBytes + 1
        }
        return bytes.getSlice(at: bytes.readerIndex, length: min(length, bytes.readableBytes)) ?? ByteBuffer()
    }

    /// The topic `a/b` of a filter `a/b/#`, which matches it too; nil for other filters.
    var parent: ByteBuffer? {
        let bytes = matched
        let beginning = literalBeginning
        guard beginning.readableBytes > 0, bytes.readableBytes == beginning.readableBytes + 1,
            bytes.readableBytesView.last == UInt8(ascii: "#")
        else { return nil }
        return beginning.getSlice(at: beginning.readerIndex, length: beginning.readableBytes - 1)
    }

    /// Whether this filter matches every topic that `other` matches: the test of a wanted subscription against a
    /// granted one.
    public func covers(_ other: TopicFilter) -> Bool { covers(other.matched) }

    /// Whether this filter matches everything that another one matches. A topic name is a filter without wildcards.
    private func covers(_ other: ByteBuffer) -> Bool {
        var mine = TopicLevels(matched)
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
