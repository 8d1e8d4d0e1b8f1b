/// The reason why a message bus cannot be used, or why a call failed.
public enum BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No bus at its address, or one that refuses; the number is the system's.
    case unreachable(errno: Int32)
    /// The connection has ended.
    case closed
    /// A call was answered by an error: its name, such as `org.bluez.Error.Failed`, and its words.
    case refused(name: String, words: String)
    /// A call was not answered in time.
    case timedOut

    public var description: String {
        switch self {
        case .unreachable(let number): "the system's message bus cannot be reached (error \(number))"
        case .closed: "the connection to the system's message bus has ended"
        case .refused(let name, let words): words.isEmpty ? name : "\(name): \(words)"
        case .timedOut: "no answer came in time"
        }
    }
}
