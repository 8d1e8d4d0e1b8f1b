import Crypto
import Foundation
import HubKit

/// A message that a phone shows although no page is open.
public struct PushMessage: Sendable {
    /// The urgency of a message, by which a sleeping phone saves its battery (RFC 8030, 5.3).
    public enum Urgency: String, Sendable { case low, normal, high }

    /// The content for the service worker, JSON in UTF-8. Nobody in between can read it.
    public var content: [UInt8]
    /// The time after which the message is of no use and not shown, in seconds.
    public var ttlSeconds: Int
    /// The topic. A later message of the same topic replaces one that has not arrived; nil never does.
    public var topic: String?
    /// The urgency.
    public var urgency: Urgency

    /// The length of the content, at most, in bytes.
    public static let longest = PushEncryption.paddedLength

    /// Creates a message.
    public init(content: [UInt8], ttlSeconds: Int, topic: String? = nil, urgency: Urgency = .high) {
        self.content = content
        self.ttlSeconds = ttlSeconds
        self.topic = topic
        self.urgency = urgency
    }

    /// Creates a message from a value that is encoded as JSON.
    public init(json: some Encodable, ttlSeconds: Int, topic: String? = nil, urgency: Urgency = .high) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        self.init(
            content: Array(try encoder.encode(json)), ttlSeconds: ttlSeconds, topic: topic, urgency: urgency)
    }

    /// A topic as push services see it: 32 characters (RFC 8030, 5.4) that reveal nothing.
    static func header(topic: String) -> String {
        String(Base64URL.text(Data(SHA256.hash(data: Data(topic.utf8)))).prefix(32))
    }
}
