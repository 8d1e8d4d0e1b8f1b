import Foundation

/// Something that open pages are told.
public enum LiveEvent: Sendable, Encodable {
    /// The newest reading of a series. Coalesced: not every reading is told.
    case reading(device: String, quantity: String, at: Int64, value: Double)
    /// Something about a device changed: its first reading, an error, its name.
    case device(String)
    /// Something that a companion shows changed; `what` and `id` tell the page which part to load again.
    case changed(companion: String, what: String, id: String)
    /// A reminder has come, has been answered, or stands no longer: load what is due again.
    case reminder(id: String, person: String)
    /// The gap is too old to be filled: load everything again.
    case reset
    /// The first message: the hub's time.
    case hello(now: Int64)

    private enum CodingKeys: String, CodingKey {
        case type, device, quantity, at, value, companion, what, id = "item", person, now
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .reading(let device, let quantity, let at, let value):
            try container.encode("reading", forKey: .type)
            try container.encode(device, forKey: .device)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(at, forKey: .at)
            try container.encode(value, forKey: .value)
        case .device(let id):
            try container.encode("device", forKey: .type)
            try container.encode(id, forKey: .device)
        case .changed(let companion, let what, let id):
            try container.encode("changed", forKey: .type)
            try container.encode(companion, forKey: .companion)
            try container.encode(what, forKey: .what)
            try container.encode(id, forKey: .id)
        case .reminder(let id, let person):
            try container.encode("reminder", forKey: .type)
            try container.encode(id, forKey: .id)
            try container.encode(person, forKey: .person)
        case .reset: try container.encode("reset", forKey: .type)
        case .hello(let now):
            try container.encode("hello", forKey: .type)
            try container.encode(now, forKey: .now)
        }
    }

    /// The frame's text, with its place in the stream as `id`.
    func text(id: String) -> String {
        // Encoding numbers and strings cannot fail; a value that is no JSON number is never stored.
        let body =
            (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{\"type\":\"reset\"}"
        return "{\"id\":\"\(id)\"," + body.dropFirst()
    }
}
