import ArgumentParser
import Foundation

/// Readings at QoS 1 as fast as they are acknowledged.
struct Blast: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "QoS 1 as fast as it is acknowledged.")

    @OptionGroup var target: Target
    @Option var connections = 4
    @Option(help: "Messages of each connection.") var count = 50_000
    @Option(help: "The most that are on their way on each connection.") var window = 512
    @Option(help: "With {connection}, {login} and {quantity}.") var topic = "bench/{connection}/{quantity}"
    @Option(help: "Series of each connection, which take turns.") var series = 1
    @Option(help: "UTC milliseconds of the first reading, which then says when it was measured.") var firstAt: Int?
    @Option(help: "Milliseconds between two readings of one series.") var every = 1

    func run() throws {
        var lanes: [Lane] = []
        for number in 0..<connections { lanes.append(try lane(number)) }
        let began = nanoseconds()
        try Lane.run(&lanes)
        let seconds = Double(nanoseconds() - began) / 1e9
        var latencies = Latencies()
        for lane in lanes { for one in lane.latencies { latencies.append(one) } }
        report([
            "messages": Double(connections * count), "seconds": seconds,
            "per_second": Double(connections * count) / seconds, "p50_ms": latencies.milliseconds(0.5),
            "p99_ms": latencies.milliseconds(0.99),
        ])
    }

    private func lane(_ number: Int) throws -> Lane {
        let names = ["moisture", "temperature", "light", "conductivity"]
        let topics = (0..<series).map { index in
            let quantity = series == 1 ? names[number % names.count] : "bench-\(index)"
            return Packets.field(target.topic(topic, connection: number, quantity: quantity))
        }
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for index in 0..<count {
            var value = "\(20 + index * 7 % 60).\(10 + index * 31 % 90)"
            if let firstAt { value = "{\"value\":\(value),\"at\":\(firstAt + index / series * every)}" }
            bytes += Packets.publish(topics[index % series], id: UInt16(index % 65_535 + 1), Array(value.utf8))
            ends.append(bytes.count)
        }
        return Lane(try target.connect(number, id: "blast"), bytes: bytes, ends: ends, window: window)
    }
}

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
