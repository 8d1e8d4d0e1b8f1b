/// The position up to which a growing recording has been read, so that only new bytes are read next time.
public struct RecordingCursor: Sendable {
    /// The number of bytes before the position.
    public private(set) var offset = 0
    /// The number of events before the position.
    public private(set) var events = 0

    /// Creates the position before the first byte.
    public init() {}

    /// Moves the position past bytes that were read.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes that were read.
    ///   - events: the number of events of the session in total.
    public mutating func advance(bytes: Int, events: Int) {
        offset += bytes
        self.events = events
    }
}
