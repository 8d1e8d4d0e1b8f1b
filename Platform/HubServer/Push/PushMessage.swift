import Crypto
import Foundation
import HubKit

/// Something to be shown by a phone although no page is open.
public struct PushMessage: Sendable {
    /// How much of a sleeping phone's battery the message is worth (RFC 8030, 5.3).
    public enum Urgency: String, Sendable { case low, normal, high }

    /// What the service worker is handed, JSON in UTF-8. Nobody in between can read it.
    public var content: [UInt8]
    /// After this it is of no use, and not shown any more. Seconds.
    public var ttlSeconds: Int
    /// A message that has not arrived gives way to a later one of the same topic; nil stands beside all others.
    public var topic: String?
    public var urgency: Urgency

    /// The longest content, bytes of UTF-8.
    public static let longest = PushEncryption.paddedLength

    public init(content: [UInt8], ttlSeconds: Int, topic: String? = nil, urgency: Urgency = .high) {
        self.content = content
        self.ttlSeconds = ttlSeconds
        self.topic = topic
        self.urgency = urgency
    }

    /// A message whose content is a value written as JSON.
    public init(json: some Encodable, ttlSeconds: Int, topic: String? = nil, urgency: Urgency = .high) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        self.init(
            content: Array(try encoder.encode(json)), ttlSeconds: ttlSeconds, topic: topic, urgency: urgency)
    }

    /// A topic as push services see it: 32 characters (RFC 8030, 5.4) that say nothing.
    static func header(topic: String) -> String {
        String(Base64URL.text(Data(SHA256.hash(data: Data(topic.utf8)))).prefix(32))
    }
}
