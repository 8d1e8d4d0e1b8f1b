import ArgumentParser
import Foundation

/// A quiet device that publishes at QoS 1 now and then, alone and beside one that floods: how long its PUBACK takes.
struct Flood: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "A quiet device beside a flooding one.")

    @OptionGroup var target: Target
    @Option(help: "The first login is the quiet device's, the others flood.") var flooders = 1
    @Option(help: "Of the quiet device a second.") var rate = 50
    @Option(help: "Alone, and as long beside the flood.") var seconds = 4
    @Option(help: "On their way of each that floods.") var window = 20_000
    @Option var topic = "tandem/{login}/{quantity}"

    func run() throws {
        let quiet = try target.connect(0, id: "quiet")
        quiet.stopWaiting()
        let packet = Packets.publish(
            Packets.field(target.topic(topic, connection: 0, quantity: "moisture")), id: 1, Array("41.50".utf8))
        var none: [Lane] = []
        let alone = try measure(quiet, packet, beside: &none)
        var lanes: [Lane] = []
        for number in 1...flooders {
            let topic = Packets.field(target.topic(self.topic, connection: number, quantity: "temperature"))
            var bytes: [UInt8] = []
            var ends: [Int] = []
            for index in 0..<5_000_000 {
                bytes += Packets.publish(topic, id: UInt16(index % 65_535 + 1), Array("21.50".utf8))
                ends.append(bytes.count)
            }
            lanes.append(
                Lane(try target.connect(number, id: "flood"), bytes: bytes, ends: ends, window: window))
        }
        let beside = try measure(quiet, packet, beside: &lanes)
        report([
            "alone_p50_ms": alone.milliseconds(0.5), "alone_p99_ms": alone.milliseconds(0.99),
            "beside_p50_ms": beside.milliseconds(0.5), "beside_p99_ms": beside.milliseconds(0.99),
            "beside_count": Double(beside.count),
            "flood_per_second": Double(lanes.reduce(0) { $0 + $1.acknowledged }) / Double(seconds),
        ])
    }

    private func measure(_ quiet: Link, _ packet: [UInt8], beside lanes: inout [Lane]) throws -> Latencies {
        var latencies = Latencies()
        let step = 1_000_000_000 / UInt64(rate)
        let began = nanoseconds()
        let end = began + UInt64(seconds) * 1_000_000_000
        var next = began + step
        var sentAt: UInt64?
        var polled = ([quiet] + lanes.map(\.link)).map { pollfd(fd: $0.descriptor, events: 0, revents: 0) }
        while nanoseconds() < end {
            if sentAt == nil, nanoseconds() >= next {
                sentAt = nanoseconds()
                try quiet.send(packet)
                next += step
            }
            polled[0].events = Int16(POLLIN)
            for index in lanes.indices {
                polled[index + 1].events = Int16(POLLIN) | (lanes[index].wantsToSend ? Int16(POLLOUT) : 0)
            }
            poll(&polled, nfds_t(polled.count), 1)
            // The quiet one first: what it waits for is the broker, not this program.
            try quiet.receive { type, _ in
                if type == 4, let sent = sentAt {
                    latencies.append(nanoseconds() - sent)
                    sentAt = nil
                }
            }
            for index in lanes.indices {
                if polled[index + 1].revents & Int16(POLLIN | POLLHUP) != 0 { try lanes[index].receive() }
                if lanes[index].wantsToSend { try lanes[index].send() }
            }
        }
        return latencies
    }
}
