/// The pause before a device reconnects: twice as long each time, up to a minute, so that a hub that comes back is not
/// met by all of its devices at once. After a successful connection it begins anew, so that a short break costs a short
/// pause.
struct RetryPause {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    /// The pause before the next attempt.
    private(set) var next = shortest

    /// Resets the pause, after the hub accepted the device.
    mutating func connected() { next = Self.shortest }

    /// Doubles the pause, after a failed attempt.
    mutating func failed() { next = min(next * 2, Self.longest) }
}
