import Foundation

/// A message to open pages.
public enum LiveEvent: Sendable {
    /// The newest reading of a series. Not every reading is sent, see ``HubSettings/liveIntervalMilliseconds``.
    case reading(device: String, quantity: String, at: Int64, value: Double)
    /// A change of a device: its first reading, an error, its name.
    case device(String)
    /// A change of a companion's data; `what` and `id` tell the page which part to load again.
    case changed(companion: String, what: String, id: String)
    /// A reminder became due, was answered or was withdrawn; the page loads the due ones again.
    case reminder(id: String, person: String)
    /// A gap that cannot be filled; the page loads everything again.
    case reset
    /// The first message, with the hub's time in UTC milliseconds.
    case hello(now: Int64)

    /// The text of the WebSocket message, with its position in the stream as `id`.
    package func text(id: String) -> String {
        // Encoding numbers and strings cannot fail; a value that is no JSON number is never stored.
        let message = message(id: id)
        let encoded = try? JSONEncoder().encode(message)
        let data = encoded ?? Data(#"{"id":"\#(id)","type":"reset"}"#.utf8)
        return String(decoding: data, as: UTF8.self)
    }
}
