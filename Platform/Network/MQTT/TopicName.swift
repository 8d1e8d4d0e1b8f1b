import NIOCore

/// A topic name of a message (sections 4.7.1 and 4.7.3): well-formed text of at least one byte, without wildcards.
/// Names are equal if their bytes are [MQTT-4.7.3-4].
public struct TopicName: Hashable, Sendable, CustomStringConvertible {
    /// The UTF-8 bytes.
    public let bytes: ByteBuffer

    /// Checks a topic name.
    ///
    /// - Parameters:
    ///   - bytes: the readable bytes are the topic; they are not copied.
    ///   - limits: the limits for levels and bytes.
    /// - Throws: a violation that names the clause.
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

    /// Checks a topic name.
    ///
    /// - Throws: a violation that names the clause.
    public init(_ text: String, limits: Limits = Limits()) throws(ProtocolViolation) {
        try self.init(bytes: ByteBuffer(string: text), limits: limits)
    }

    /// Whether it is within the limits for bytes and levels.
    func isWithin(_ limits: Limits) -> Bool {
        bytes.readableBytes <= limits.topicBytes
            && bytes.readableBytesView.reduce(1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } <= limits.topicLevels
    }

    public var description: String { String(buffer: bytes) }
}
