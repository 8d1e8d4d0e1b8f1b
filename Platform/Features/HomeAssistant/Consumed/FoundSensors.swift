import Devices
import HubKit
import NIOCore
import Storage
import Synchronization

/// The sensors of other makers that were announced and can be taken over, with the last that was heard of each. In memory, and
/// bounded: what is announced is kept where it came from, and said again.
final class FoundSensors: Sendable {
    /// The most announcements that are kept.
    static let most = 6_000
    /// The most of one sender.
    static let mostOfSender = 5_000

    /// A topic at one of the places where the hub hears messages.
    struct Place: Hashable, Sendable {
        var source: AdoptedSensorSource
        var topic: String

        /// Creates a place.
        init(source: AdoptedSensorSource, topic: String) {
            self.source = source
            self.topic = topic
        }

        /// Finds the place where a message was heard.
        init(_ message: ForeignMessage) {
            self.init(source: message.sender == .broker ? .broker : .listener, topic: message.topic)
        }
    }

    /// A value as it came.
    struct Heard: Sendable, Equatable {
        var text: String
        /// UTC milliseconds.
        var at: Int64
    }

    private struct Entry {
        var sender: ForeignMessage.Sender
        var household: String
        var sensors: [AnnouncedSensor]
    }

    private struct State {
        var entries: [Place: Entry] = [:]
        var countOfSender: [ForeignMessage.Sender: Int] = [:]
        /// How many of the entries have their values, or say whether they are there, on a topic.
        var listened: [Place: Int] = [:]
        var heard: [Place: Heard] = [:]
        var refused = 0
    }

    private let state = Mutex(State())

    /// The number of announcements that are kept, and of those that were refused since there were too many.
    var counts: (kept: Int, refused: Int) { state.withLock { ($0.entries.count, $0.refused) } }

    /// Takes an announcement, or forgets what was announced there.
    ///
    /// - Returns: whether it is news that changes what is found.
    func announce(
        _ sensors: [AnnouncedSensor], at place: Place, by sender: ForeignMessage.Sender, household: String
    ) -> Bool {
        state.withLock { state in
            let old = state.entries[place]
            guard old?.sensors != sensors else { return false }
            if old == nil {
                guard !sensors.isEmpty else { return false }
                guard state.entries.count < Self.most, state.countOfSender[sender, default: 0] < Self.mostOfSender
                else {
                    state.refused += 1
                    return false
                }
            }
            // The new ones first: what is heard on a topic of both stays known.
            for topic in Self.topics(sensors, place) { state.listened[topic, default: 0] += 1 }
            if let old {
                state.countOfSender[old.sender, default: 1] -= 1
                for topic in Self.topics(old.sensors, place) {
                    let left = state.listened[topic, default: 1] - 1
                    state.listened[topic] = left > 0 ? left : nil
                    if left <= 0 { state.heard[topic] = nil }
                }
            }
            state.entries[place] = sensors.isEmpty ? nil : Entry(sender: sender, household: household, sensors: sensors)
            if !sensors.isEmpty { state.countOfSender[sender, default: 0] += 1 }
            return true
        }
    }

    /// The topics on which sensors that were announced at a place are heard.
    static func topics(_ sensors: [AnnouncedSensor], _ place: Place) -> [Place] {
        sensors.flatMap { [$0.stateTopic] + $0.availability.map(\.topic) }
            .map { Place(source: place.source, topic: $0) }
    }

    /// Notes a message on a topic, if something that was announced is heard there.
    func note(_ payload: ByteBuffer, at place: Place, now: Int64) -> Bool {
        state.withLock { state in
            guard state.listened[place] != nil else { return false }
            let text = String(decoding: payload.readableBytesView.prefix(1_024), as: UTF8.self)
            state.heard[place] = Heard(text: text, at: now)
            return true
        }
    }

    /// What was heard last on a topic.
    func heard(at place: Place) -> Heard? { state.withLock { $0.heard[place] } }

    /// All that was announced to a household, with where it was.
    func all(household: String) -> [(place: Place, sensors: [AnnouncedSensor])] {
        state.withLock { state in
            state.entries.filter { $0.value.household == household }.map { ($0.key, $0.value.sensors) }
        }
    }

    /// The topics at the broker on which something that was announced is heard.
    var brokerTopics: Set<String> {
        state.withLock { state in Set(state.listened.keys.lazy.filter { $0.source == .broker }.map(\.topic)) }
    }

    /// Forgets all that was announced at the broker, which says it again.
    func forgetBroker() {
        state.withLock { state in
            for place in state.entries.keys where place.source == .broker {
                if let entry = state.entries.removeValue(forKey: place) {
                    state.countOfSender[entry.sender, default: 1] -= 1
                }
            }
            state.listened = state.listened.filter { $0.key.source != .broker }
            state.heard = state.heard.filter { $0.key.source != .broker }
        }
    }
}
