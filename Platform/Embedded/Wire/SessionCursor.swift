/// The position up to which a growing session was encoded, so that only what is new is encoded next time.
public struct SessionCursor: Sendable {
    /// The number of bytes before the position.
    public private(set) var offset = 0
    /// The number of events before the position.
    public private(set) var events = 0

    /// Creates the position before the first byte.
    public init() {}

    /// Moves the position past bytes that were encoded.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes that were encoded.
    ///   - events: the number of events of the session in total.
    public mutating func advance(bytes: Int, events: Int) {
        offset += bytes
        self.events = events
    }
}
