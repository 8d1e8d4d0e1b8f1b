/// How long a device waits before it connects again: twice as long each time, up to a minute, so that a hub that comes back
/// is not met by all of its devices at once; from the beginning again once it was connected, so that one that was
/// connected for a month is not away for a minute after each short break.
struct RetryPause {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    /// Before the next try.
    private(set) var next = shortest

    /// The hub has let the device in.
    mutating func connected() { next = Self.shortest }

    /// A try is over.
    mutating func failed() { next = min(next * 2, Self.longest) }
}
