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
    /// How many bytes come before what is matched: those of `$share/` and a group's name, MQTT 5.0, section 4.8.2.
    private let shareLength: Int

    /// - Parameter bytes: the readable bytes are the filter; they are copied, because a subscription is stored.
    /// - Throws: the clause that the filter breaks.
    public init(bytes: ByteBuffer) throws(ProtocolViolation) {
        guard bytes.readableBytes > 0 else { throw .emptyTopic }
        _ = try bytes.validatedText()
        self.hasWildcard = try Self.check(bytes.readableBytesView)
        shareLength = try Self.shareLength(bytes.readableBytesView)
        self.bytes = ByteBuffer(bytes: bytes.readableBytesView)
    }

    private static let share = Array("$share/".utf8)

    /// [MQTT-4.8.2-1], [MQTT-4.8.2-2]: a name of at least one character without wildcards, then a filter.
    private static func shareLength(_ bytes: ByteBufferView) throws(ProtocolViolation) -> Int {
        guard bytes.starts(with: share) else { return 0 }
        let name = bytes.dropFirst(share.count).prefix { $0 != UInt8(ascii: "/") }
        let length = share.count + name.count + 1
        guard !name.isEmpty, bytes.count > length,
            !name.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
        else { throw .sharedFilter }
        return length
    }

    /// Whether each message goes to one of its subscribers only.
    public var isShared: Bool { shareLength > 0 }

    /// Who shares a subscription: the name between `$share/` and the filter.
    public var group: ByteBuffer? {
        isShared
            ? bytes.getSlice(
                at: bytes.readerIndex + Self.share.count, length: shareLength - Self.share.count - 1) : nil
    }

    /// What topics are matched against: all of it, but for the group of a shared subscription.
    public var matched: ByteBuffer {
        isShared
            ? bytes.getSlice(at: bytes.readerIndex + shareLength, length: bytes.readableBytes - shareLength) ?? bytes
            : bytes
    }

    /// Looks at each byte once, since a filter may have thousands of levels. Returns whether one of them is a wildcard.
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

    /// As `matches`, of bytes that are known to be a name.
    func matches(bytesOfName topic: ByteBuffer) -> Bool { covers(topic) }

    /// What every topic that it matches begins with, up to the first level that is a wildcard; the parent of a `#` aside.
    var literalBeginning: ByteBuffer {
        let bytes = matched
        var length = 0
        for level in TopicLevels(bytes) {
            if level.isSingleLevelWildcard || level.isMultiLevelWildcard { break }
            length += level.readableBytes + 1
        }
        return bytes.getSlice(at: bytes.readerIndex, length: min(length, bytes.readableBytes)) ?? ByteBuffer()
    }

    /// The topic `a/b` of the filter `a/b/#`, which that matches too; nil where there is none, or another wildcard
    /// before.
    var parent: ByteBuffer? {
        let bytes = matched
        let beginning = literalBeginning
        guard beginning.readableBytes > 0, bytes.readableBytes == beginning.readableBytes + 1,
            bytes.readableBytesView.last == UInt8(ascii: "#")
        else { return nil }
        return beginning.getSlice(at: beginning.readerIndex, length: beginning.readableBytes - 1)
    }

    /// Whether every topic that `other` matches is matched by this filter too: the test of a wanted subscription
    /// against a granted one.
    public func covers(_ other: TopicFilter) -> Bool { covers(other.matched) }

    /// A name is a filter without wildcards, so that one walk answers both questions.
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
