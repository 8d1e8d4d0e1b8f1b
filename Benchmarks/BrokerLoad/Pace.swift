import ArgumentParser
import Foundation

/// Messages at a steady pace from a publisher to a subscriber: how long each takes. With `--acknowledged` it is the time to
/// PUBACK instead, and nobody subscribes.
struct Pace: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "A steady pace, and how long each message takes.")

    @OptionGroup var target: Target
    @Option(help: "Messages a second, all publishers together.") var rate = 10_000
    @Option var seconds = 5
    @Option var publishers = 1
    @Option(help: "With {login}, {connection} and {quantity}.") var topic = "bench/pace"
    @Flag(help: "Readings at QoS 1, and the time to their PUBACK.") var acknowledged = false

    func run() throws {
        var links = try target.connect(0..<publishers, id: "pace")
        if !acknowledged {
            let reader = try target.connect(0, id: "reader")
            try reader.subscribe(topic)
            links.append(reader)
        }
        for link in links { link.stopWaiting() }
        let topics = (0..<publishers).map {
            Packets.field(target.topic(topic, connection: $0, quantity: "moisture"))
        }
        let total = rate * seconds
        let step = 1_000_000_000 / UInt64(rate)
        var sentAt: [UInt64] = []
        var arrived = [Int](repeating: 0, count: publishers)
        var all = 0
        var latencies = Latencies()
        var polled = links.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let began = nanoseconds()
        while all < total {
            let now = nanoseconds()
            while sentAt.count < total, began + UInt64(sentAt.count) * step <= now {
                let index = sentAt.count
                let number = index % publishers
                let value = Array("\(20 + index % 60).50".utf8)
                let packet = Packets.publish(topics[number], id: acknowledged ? UInt16(index % 65_535 + 1) : nil, value)
                sentAt.append(nanoseconds())
                try links[number].send(packet)
            }
            let next = began + UInt64(sentAt.count) * step
            let pause = sentAt.count < total ? (next > nanoseconds() + 1_000_000 ? Int32(1) : 0) : Int32(10_000)
            guard poll(&polled, nfds_t(polled.count), pause) > 0 || sentAt.count < total else {
                throw LoadError.silent("after \(all) of \(total) had arrived")
            }
            for index in links.indices where polled[index].revents & Int16(POLLIN) != 0 {
                let read = nanoseconds()
                try links[index].receive { type, _ in
                    guard type == (acknowledged ? 4 : 3) else { return }
                    // In the order in which they were sent, of each publisher, or of the one publisher to its subscriber.
                    let lane = acknowledged ? index : 0
                    let stride = acknowledged ? publishers : 1
                    latencies.append(read - sentAt[arrived[lane] * stride + lane])
                    arrived[lane] += 1
                    all += 1
                }
            }
        }
        report([
            "messages": Double(total), "seconds": Double(nanoseconds() - began) / 1e9,
            "p50_ms": latencies.milliseconds(0.5), "p99_ms": latencies.milliseconds(0.99),
        ])
    }
}
