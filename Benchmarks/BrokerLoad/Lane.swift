import Foundation

/// One connection of a blast: its packets, and how far it is.
struct Lane {
    /// The time of every so many-th message is taken.
    static let sample = 16

    let link: Link
    let bytes: [UInt8]
    /// Where each packet ends in `bytes`.
    let ends: [Int]
    let window: Int
    private(set) var acknowledged = 0
    private var sentBytes = 0
    /// Packets that may be sent: all before the window's end.
    private var released = 0
    private var releasedAt: [UInt64] = []
    private(set) var latencies: [UInt64] = []

    init(_ link: Link, bytes: [UInt8], ends: [Int], window: Int) {
        (self.link, self.bytes, self.ends, self.window) = (link, bytes, ends, window)
        link.stopWaiting()
    }

    var isDone: Bool { acknowledged >= ends.count }
    private var releasedBytes: Int { released == 0 ? 0 : ends[released - 1] }
    var wantsToSend: Bool { sentBytes < releasedBytes || released < min(ends.count, acknowledged + window) }

    mutating func send() throws {
        let end = min(ends.count, acknowledged + window)
        if end > released {
            let now = nanoseconds()
            for index in released..<end where index % Self.sample == 0 { releasedAt.append(now) }
            released = end
        }
        sentBytes += try link.send(bytes, from: sentBytes, to: releasedBytes)
    }

    mutating func receive() throws {
        var count = 0
        try link.receive { type, _ in if type == 4 { count += 1 } }
        guard count > 0 else { return }
        let now = nanoseconds()
        // PUBACKs come in the order of the PUBLISHes [MQTT-4.6.0-2]: counting them tells which these are.
        for index in acknowledged..<acknowledged + count where index % Self.sample == 0 {
            latencies.append(now - releasedAt[index / Self.sample])
        }
        acknowledged += count
    }

    /// Plays all of them to the end, or until the deadline.
    static func run(_ lanes: inout [Lane], until isOver: () -> Bool = { false }) throws {
        var polled = lanes.map { pollfd(fd: $0.link.descriptor, events: 0, revents: 0) }
        while !isOver(), lanes.contains(where: { !$0.isDone }) {
            for index in lanes.indices {
                polled[index].events = Int16(POLLIN) | (lanes[index].wantsToSend ? Int16(POLLOUT) : 0)
                if lanes[index].isDone { polled[index].fd = -1 }
            }
            guard poll(&polled, nfds_t(polled.count), 30_000) > 0 else { throw LoadError.silent("in a blast") }
            for index in lanes.indices where polled[index].fd >= 0 {
                if polled[index].revents & Int16(POLLIN | POLLHUP) != 0 { try lanes[index].receive() }
                if lanes[index].wantsToSend { try lanes[index].send() }
            }
        }
    }
}
