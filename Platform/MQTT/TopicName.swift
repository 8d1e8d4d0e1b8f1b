import NIOCore

/// A topic that something is published to, sections 4.7.1 and 4.7.3: well-formed text of at least one byte, without
/// wildcards. Two names are the same when their bytes are [MQTT-4.7.3-4].
public struct TopicName: Hashable, Sendable, CustomStringConvertible {
    /// The UTF-8 bytes.
    public let bytes: ByteBuffer

    /// - Parameters:
    ///   - bytes: the readable bytes are the topic; they are not copied.
    ///   - limits: how many levels and bytes to accept.
    /// - Throws: the clause that the topic breaks.
    public init(bytes: ByteBuffer, limits: Limits = Limits()) throws(ProtocolViolation) {
        guard bytes.readableBytes > 0 else { throw .emptyTopic }
        guard bytes.readableBytes <= limits.topicBytes else { throw .longTopic }
        var levels = 1
        for byte in bytes.readableBytesView {
            switch byte {
            case UInt8(ascii: "/"): levels += 1
            case UInt8(ascii: "+"), UInt8(ascii: "#"): throw .wildcardInTopicName
            default: continue
            }
        }
        guard levels <= limits.topicLevels else { throw .tooManyLevels }
        _ = try bytes.validatedText()
        self.bytes = bytes
    }

    /// - Throws: the clause that the topic breaks.
    public init(_ text: String, limits: Limits = Limits()) throws(ProtocolViolation) {
        try self.init(bytes: ByteBuffer(string: text), limits: limits)
    }

    /// Whether it has no more bytes and levels than there may be.
    func isWithin(_ limits: Limits) -> Bool {
        bytes.readableBytes <= limits.topicBytes
            && bytes.readableBytesView.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } <= limits.topicLevels
    }

    public var description: String { String(buffer: bytes) }
}
