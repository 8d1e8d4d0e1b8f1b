/// That a page and a device of some kind may speak to each other at once, past everything that is stored: a cue to a
/// drum, and what was struck.
///
/// A kind of device that declares none has none.
public struct PageChannel: Sendable, Equatable {
    /// Below `tandem/<id>/`: what a page says.
    public var command: String
    /// Below `tandem/<id>/`: what the device says, and the page hears.
    public var answer: String
    /// Of one message either way.
    public var mostBytes: Int

    public init(command: String, answer: String, mostBytes: Int) {
        self.command = command
        self.answer = answer
        self.mostBytes = mostBytes
    }
}

/// What pages and devices may ask of each other. Whoever asks for more is told, and what is too much is dropped.
enum PageChannelLimits {
    /// Devices that one page holds.
    static let devices = 4
    /// Bytes of what a page says in one frame.
    static let frameBytes = 512
    /// Frames of a page: so many in a second, and so many at once.
    static let framesASecond = 100.0
    /// Messages of a device to its page: so many in a second, and so many at once.
    static let messagesASecond = 200.0
    /// Frames beyond the rate after which the page is closed with 1008.
    static let excess = 1_000
}

/// Lets so many through in a second, and as many at once.
struct RateLimit {
    private let aSecond: Double
    private var left: Double
    private var at: UInt64

    /// - Parameter now: nanoseconds of a clock that never goes back.
    init(aSecond: Double, now: UInt64) {
        self.aSecond = aSecond
        left = aSecond
        at = now
    }

    mutating func takes(now: UInt64) -> Bool {
        left = min(aSecond, left + Double(now - min(at, now)) / 1e9 * aSecond)
        at = max(at, now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
