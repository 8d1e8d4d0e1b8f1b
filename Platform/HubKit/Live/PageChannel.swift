/// That a page and a device of some kind may speak to each other at once, past everything that is stored: a cue to a
/// drum, and what was struck.
///
/// A kind of device that declares none has none.
public struct PageChannel: Sendable, Equatable {
    /// Below `tandem/<id>/`: what a page says.
    public var command: String
    /// Below `tandem/<id>/`: what the device says, and the page hears.
    public var answer: String
    /// Of one message either way, at most ``PageChannelLimits/mostBytes``.
    public var mostBytes: Int
    /// What a page may say to the device: so many messages in a second, and so many at once.
    public var framesASecond: Double
    /// What the device may say to its page: so many messages in a second, and so many at once.
    public var messagesASecond: Double

    public init(
        command: String, answer: String, mostBytes: Int, framesASecond: Double = 100, messagesASecond: Double = 200
    ) {
        self.command = command
        self.answer = answer
        self.mostBytes = mostBytes
        self.framesASecond = framesASecond
        self.messagesASecond = messagesASecond
    }
}

/// What pages may ask of the hub on their live socket, whichever channels its companions declare. Whoever asks for more is
/// reported, and what is too much is dropped.
public struct PageChannelLimits: Sendable, Equatable {
    /// The most bytes of one message that a channel may declare: the live socket takes frames of 16 KiB.
    public static let mostBytes = 2_048
    /// The most messages in a second that a channel may declare, either way.
    public static let mostASecond = 2_000.0

    /// Devices that one page holds.
    package var devices = 4
    /// Bytes of what a page says in one frame.
    package var frameBytes = 512
    /// Frames of a page: so many in a second, and so many at once.
    package var framesASecond = 100.0
    /// Frames beyond the rate after which the page is closed with 1008.
    package var excess = 1_000

    /// What holds while no companion declares a channel.
    package init() {}

    /// Makes room for a channel: a byte of a message takes up to six of a frame, as `\u00ff`, beside the frame's own words.
    package mutating func include(_ channel: PageChannel) {
        frameBytes = max(frameBytes, 392 + 6 * channel.mostBytes)
        framesASecond = max(framesASecond, channel.framesASecond)
    }
}
