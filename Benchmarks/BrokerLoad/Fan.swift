import ArgumentParser
import Foundation

/// One message to many subscribers: until the last of them has it.
struct Fan: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "One message to many subscribers.")

    @OptionGroup var target: Target
    @Option var subscribers = 10_000
    @Option var rounds = 10
    @Option var topic = "bench/fan"

    func run() throws {
        let readers = try target.connect(0..<subscribers, id: "fan", subscribingTo: topic)
        let writer = try target.connect(subscribers, id: "fan")
        let packet = Packets.publish(Packets.field(topic), id: nil, Array("41.50".utf8))
        var first = Latencies()
        var last = Latencies()
        for _ in 0..<rounds {
            let began = nanoseconds()
            try writer.send(packet)
            // One after the other, each waiting for its own: no looking for who has something.
            for (number, link) in readers.enumerated() {
                try link.wait(for: 3)
                if number == 0 { first.append(nanoseconds() - began) }
            }
            last.append(nanoseconds() - began)
        }
        report([
            "subscribers": Double(subscribers), "first_ms": first.milliseconds(0.5),
            "last_ms": last.milliseconds(0.5), "slowest_ms": last.milliseconds(1),
        ])
    }
}
