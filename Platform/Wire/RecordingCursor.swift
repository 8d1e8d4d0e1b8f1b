/// How much has been read of a recording that only grows: what is new is read without what was.
public struct RecordingCursor: Sendable {
    /// Bytes of the recording before it.
    public private(set) var offset = 0
    /// Events of the recording before it.
    public private(set) var events = 0

    /// Before the first byte.
    public init() {}

    /// Moves behind bytes that were read.
    ///
    /// - Parameter events: how many the session has in all.
    public mutating func advance(bytes: Int, events: Int) {
        offset += bytes
        self.events = events
    }
}
