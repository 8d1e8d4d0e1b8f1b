/// The messages of the live WebSocket, each with its position in the resumable stream as `id`.
///
/// `/openapi.json` describes these types, from which the page's types are made.
package enum LiveMessage {
    struct Reading: Codable {
        enum Kind: String, Codable, CaseIterable { case reading }
        var id: String
        var type = Kind.reading
        var device, quantity: String
        var at: Int64
        var value: Double
    }
    struct Device: Codable {
        enum Kind: String, Codable, CaseIterable { case device }
        var id: String
        var type = Kind.device
        var device: String
    }
    struct Changed: Codable {
        enum Kind: String, Codable, CaseIterable { case changed }
        var id: String
        var type = Kind.changed
        var companion, what, item: String
    }
    struct Reminder: Codable {
        enum Kind: String, Codable, CaseIterable { case reminder }
        var id: String
        var type = Kind.reminder
        var item, person: String
    }
    struct Reset: Codable {
        enum Kind: String, Codable, CaseIterable { case reset }
        var id: String
        var type = Kind.reset
    }
    struct Hello: Codable {
        enum Kind: String, Codable, CaseIterable { case hello }
        var id: String
        var type = Kind.hello
        var now: Int64
    }

    /// All types of messages.
    package static let types: [any (Codable & SendableMetatype).Type] = [
        Reading.self, Device.self, Changed.self, Reminder.self, Reset.self, Hello.self,
    ]
}

extension LiveEvent {
    /// The message, with its position in the stream as `id`.
    func message(id: String) -> any Encodable {
        switch self {
        case .reading(let device, let quantity, let at, let value):
            LiveMessage.Reading(id: id, device: device, quantity: quantity, at: at, value: value)
        case .device(let device): LiveMessage.Device(id: id, device: device)
        case .changed(let companion, let what, let item):
            LiveMessage.Changed(id: id, companion: companion, what: what, item: item)
        case .reminder(let item, let person): LiveMessage.Reminder(id: id, item: item, person: person)
        case .reset: LiveMessage.Reset(id: id)
        case .hello(let now): LiveMessage.Hello(id: id, now: now)
        }
    }
}
