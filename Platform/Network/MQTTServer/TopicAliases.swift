import MQTT
import NIOCore

/// The topics of a connection that are short to name: its latest, and those with an alias (MQTT 5.0, section 3.3.2.3.4).
struct TopicAliases {
    /// The topic that the client published to last.
    var latest: TopicRoute?
    /// The aliases that the client has assigned.
    private var received: [UInt16: TopicRoute] = [:]
    /// The aliases that it was assigned.
    private var sent: [ByteBuffer: UInt16] = [:]

    /// The topic that the client has given an alias.
    subscript(alias: UInt16) -> TopicRoute? {
        get { received[alias] }
        set { received[alias] = newValue }
    }

    /// The alias of a topic for the client, which has the topic's name if that is new: the first topics have one each.
    ///
    /// - Parameter most: the number of aliases that it takes.
    /// - Returns: nil if all are given away.
    mutating func alias(for topic: ByteBuffer, most: Int) -> (alias: UInt16, isNew: Bool)? {
        if let known = sent[topic] { return (known, false) }
        guard sent.count < most else { return nil }
        let alias = UInt16(sent.count + 1)
        sent[ByteBuffer(bytes: topic.readableBytesView)] = alias
        return (alias, true)
    }
}
