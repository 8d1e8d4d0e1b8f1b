import GRDB
import HubKit
import NIOCore

/// The reader of messages on topics that are not below a device's own: the announcements and states of other makers'
/// sensors, and commands to what the hub itself announces. Called on the listener's event loop.
public protocol ForeignMessages: Sendable {
    /// Understands a message, as far as it can be.
    func understand(_ message: ForeignMessage) -> ForeignMeaning
    /// Whether a client's id is that of the hub's own client, which has found itself instead of the broker of the house.
    func isOwnClient(_ clientID: String) -> Bool
    /// Reports readings that have just been committed, of any device: the newest of each series in the batch.
    func committed(_ readings: [CommittedReading])
}

/// A message on a topic that is not below a device's own.
public struct ForeignMessage: Sendable {
    /// The sender: a device, a program, the broker of the house, or the hub's radio.
    public enum Sender: Sendable, Hashable {
        /// A device that signed in with its own token.
        case device(String)
        /// A program that may publish to the topic, by its id.
        case integration(String)
        /// The broker that the hub is a client of.
        case broker
        /// The hub's own radio.
        case radio
    }

    /// The topic.
    public var topic: String
    /// The payload.
    public var payload: ByteBuffer
    /// Whether it is the broker's memory rather than news: retained, and delivered upon a subscription.
    public var isRetained: Bool
    /// The sender.
    public var sender: Sender
    /// The id of the sender's household.
    public var household: String

    /// Creates a message.
    public init(topic: String, payload: ByteBuffer, isRetained: Bool, sender: Sender, household: String) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.sender = sender
        self.household = household
    }
}

/// The meaning of a foreign message.
public struct ForeignMeaning: Sendable {
    /// One value that a device of the household measured.
    public struct Value: Sendable {
        /// The device's id.
        public var device: String
        /// The quantity, which is the topic of its readings below the device's own.
        public var quantity: String
        /// The value, in the quantity's unit.
        public var value: Double
        /// The time of the measurement, in UTC milliseconds; nil for the time of receipt.
        public var at: Int64?

        /// The work that is done in the transaction of the reading.
        public var work: (@Sendable (Database) throws -> Void)?

        /// Creates a value.
        public init(device: String, quantity: String, value: Double, at: Int64? = nil) {
            self.device = device
            self.quantity = quantity
            self.value = value
            self.at = at
        }

        /// The value as a message of a device of the hub's own.
        var payload: ByteBuffer {
            ByteBuffer(string: at.map { #"{"value":\#(value),"at":\#($0)}"# } ?? "\(value)")
        }
    }

    /// Whether nobody needs to be told: it is a part of a maker's dialect, though it may measure nothing.
    public var isUnderstood: Bool
    /// The values that it measures.
    public var values: [Value]

    /// Creates a meaning.
    public init(isUnderstood: Bool, values: [Value] = []) {
        self.isUnderstood = isUnderstood
        self.values = values
    }

    /// Nothing is understood.
    public static let none = ForeignMeaning(isUnderstood: false)
    /// It is understood, and measures nothing.
    public static let nothing = ForeignMeaning(isUnderstood: true)
}

/// Understands nothing.
struct NoForeignMessages: ForeignMessages {
    func understand(_ message: ForeignMessage) -> ForeignMeaning { .none }
    func isOwnClient(_ clientID: String) -> Bool { false }
    func committed(_ readings: [CommittedReading]) {}
}
