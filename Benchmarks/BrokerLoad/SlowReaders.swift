import ArgumentParser
import Foundation

/// Subscribers that never read what they asked for, while somebody publishes: for a look at the broker's memory, until
/// standard input ends.
struct SlowReaders: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Subscribers that never read.")

    @OptionGroup var target: Target
    @Option var subscribers = 100
    @Option(help: "Megabytes that each of them is sent.") var megabytes = 20
    @Option(help: "Bytes of a message.") var bytes = 1_000
    @Option var topic = "bench/slow"

    func run() throws {
        let readers = try target.connect(0..<subscribers, id: "slow", subscribingTo: topic)
        let writer = try target.connect(subscribers, id: "slow")
        let packet = Packets.publish(
            Packets.field(topic), id: nil, [UInt8](repeating: UInt8(ascii: "x"), count: bytes))
        for _ in 0..<megabytes * 1_000_000 / bytes { try writer.send(packet) }
        // Once this is answered, all before it was looked at.
        try writer.send(Packets.packet(0xC0, []))
        try writer.wait(for: 13)
        report(["subscribers": Double(subscribers), "megabytes": Double(megabytes)])
        waitForReader()
        withExtendedLifetime(readers) {}
    }
}
