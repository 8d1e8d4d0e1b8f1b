import Foundation

/// A message to open pages.
///
/// Each kind of message is a type of its own, which `/openapi.json` describes, and from which the page's types are made.
public struct LiveEvent: Sendable {
    /// The message, without its position in the stream.
    let message: any Message

    /// The newest reading of a series. Not every reading is sent, see ``HubSettings/liveIntervalMilliseconds``.
    public static func reading(device: String, quantity: String, at: Int64, value: Double) -> LiveEvent {
        LiveEvent(message: Reading(device: device, quantity: quantity, at: at, value: value))
    }

    /// A change of a device: its first reading, an error, its name.
    public static func device(_ device: String) -> LiveEvent { LiveEvent(message: Device(device: device)) }

    /// A change of a companion's data; `what` and `id` tell the page which part to load again.
    public static func changed(companion: String, what: String, id: String) -> LiveEvent {
        LiveEvent(message: Changed(companion: companion, what: what, item: id))
    }

    /// A reminder became due, was answered or was withdrawn; the page loads the due ones again.
    public static func reminder(id: String, person: String) -> LiveEvent {
        LiveEvent(message: Reminder(item: id, person: person))
    }

    /// Whether it is the newest reading of a series, of which there may be thousands a second.
    var isReading: Bool { message is Reading }

    /// A gap that cannot be filled; the page loads everything again.
    public static let reset = LiveEvent(message: Reset())

    /// The first message, with the hub's time in UTC milliseconds.
    public static func hello(now: Int64) -> LiveEvent { LiveEvent(message: Hello(now: now)) }

    /// The text of the WebSocket message, with its position in the resumable stream as `id`.
    package func text(id: String) -> String {
        var message = message
        message.id = id
        // Encoding numbers and strings cannot fail; a value that is no JSON number is never stored.
        let encoded = try? JSONEncoder().encode(message)
        let data = encoded ?? Data(#"{"id":"\#(id)","type":"reset"}"#.utf8)
        return String(decoding: data, as: UTF8.self)
    }

    /// All types of messages.
    package static let types: [any (Codable & SendableMetatype).Type] = [
        Reading.self, Device.self, Changed.self, Reminder.self, Reset.self, Hello.self,
    ]
}

extension LiveEvent {
    /// The member that all messages have.
    protocol Message: Codable, Sendable {
        /// The position in the stream.
        var id: String { get set }
    }

    struct Reading: Message {
        enum Kind: String, Codable, CaseIterable { case reading }
        var id = ""
        var type = Kind.reading
        var device, quantity: String
        var at: Int64
        var value: Double
    }
    struct Device: Message {
        enum Kind: String, Codable, CaseIterable { case device }
        var id = ""
        var type = Kind.device
        var device: String
    }
    struct Changed: Message {
        enum Kind: String, Codable, CaseIterable { case changed }
        var id = ""
        var type = Kind.changed
        var companion, what, item: String
    }
    struct Reminder: Message {
        enum Kind: String, Codable, CaseIterable { case reminder }
        var id = ""
        var type = Kind.reminder
        var item, person: String
    }
    struct Reset: Message {
        enum Kind: String, Codable, CaseIterable { case reset }
        var id = ""
        var type = Kind.reset
    }
    struct Hello: Message {
        enum Kind: String, Codable, CaseIterable { case hello }
        var id = ""
        var type = Kind.hello
        var now: Int64
    }
}
