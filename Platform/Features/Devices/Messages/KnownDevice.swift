import HubKit
import MQTT
import NIOCore
import Readings
import Storage

/// A device that has connected, or for which an integration publishes.
final class KnownDevice {
    /// The device's record as of the last sign-in.
    var record: DeviceRecord
    let decoder: any DeviceMessageDecoder
    /// The topics of its kind.
    let topics: DeviceTopics
    /// The topic of messages for its page, below its own topic.
    let answer: ByteBuffer?
    /// The topic of messages from its page.
    let command: TopicFilter?
    /// The series of its last reading, since most devices repeat one, which saves a lookup.
    var latest: Series?
    /// The number of errors in this batch, stored with it.
    var errors = 0
    var hasSpoken = false
    /// The number of messages since the last one that was read that said only what is kept already.
    var repeated = 0
    /// The times at which connections of it gave way to others lately, in UTC milliseconds.
    var gaveWayAt: [Int64] = []

    init(record: DeviceRecord, decoder: any DeviceMessageDecoder, topics: DeviceTopics, channel: PageChannel?) {
        self.record = record
        self.decoder = decoder
        self.topics = topics
        answer = channel.map { ByteBuffer(string: $0.answer) }
        command = channel.flatMap { try? TopicFilter("tandem/\(record.id)/\($0.command)") }
    }
}

/// A program with access to some topics, as of the last sign-in.
struct KnownIntegration: Sendable {
    var id: String
    var household: String
    var grants: [TopicFilter]
}
