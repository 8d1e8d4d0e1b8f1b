import Foundation

/// A message to open pages.
public enum LiveEvent: Sendable {
    /// The newest reading of a series. Coalesced: not every reading is sent.
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

    /// The frame's text, with its place in the stream as `id`.
    package func text(id: String) -> String {
        // Encoding numbers and strings cannot fail; a value that is no JSON number is never stored.
        let message = message(id: id)
        let encoded = try? JSONEncoder().encode(message)
        let data = encoded ?? Data(#"{"id":"\#(id)","type":"reset"}"#.utf8)
        return String(decoding: data, as: UTF8.self)
    }
}
