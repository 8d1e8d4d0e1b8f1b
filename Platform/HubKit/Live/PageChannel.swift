/// A channel through which a page and a device exchange messages at once, without anything being stored: a cue to a
/// drum, and the hit that answers it.
public struct PageChannel: Sendable, Equatable {
    /// The topic below `tandem/<id>/` for messages from a page.
    public var command: String
    /// The topic below `tandem/<id>/` for messages from the device, which the page receives.
    public var answer: String
    /// The size of one message in either direction, in bytes, at most ``PageChannelLimits/mostBytes``.
    public var mostBytes: Int
    /// The number of messages a second from a page, also the largest burst.
    public var framesASecond: Double
    /// The number of messages a second from the device, also the largest burst.
    public var messagesASecond: Double

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - command: the topic below `tandem/<id>/` for messages from a page.
    ///   - answer: the topic below `tandem/<id>/` for messages from the device.
    ///   - mostBytes: the size of one message, in bytes.
    ///   - framesASecond: the number of messages a second from a page.
    ///   - messagesASecond: the number of messages a second from the device.
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

/// The limits for messages from pages on the live WebSocket, over all channels that companions declare. Messages beyond
/// them are dropped and counted.
public struct PageChannelLimits: Sendable, Equatable {
    /// The largest message that a channel may declare, in bytes: a WebSocket frame takes at most 16 KiB.
    public static let mostBytes = 2_048
    /// The highest rate that a channel may declare in either direction, in messages a second.
    public static let mostASecond = 2_000.0

    /// The number of devices that one page may hold a channel to.
    package var devices = 4
    /// The size of one frame from a page, in bytes.
    package var frameBytes = 512
    /// The number of frames a second from one page, also the largest burst.
    package var framesASecond = 100.0
    /// The number of frames beyond the rate after which the page's socket is closed with 1008 (Policy Violation).
    package var excess = 1_000

    /// Creates the limits without any channel.
    package init() {}

    /// Raises the limits for a channel: a byte of a message takes up to six in a frame, as `\u00ff`, besides the
    /// frame's own words.
    package mutating func include(_ channel: PageChannel) {
        frameBytes = max(frameBytes, 392 + 6 * channel.mostBytes)
        framesASecond = max(framesASecond, channel.framesASecond)
    }
}
