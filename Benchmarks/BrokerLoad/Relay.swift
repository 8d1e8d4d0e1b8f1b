import ArgumentParser
import Foundation

/// Messages of QoS 0 from publishers to one subscriber. So many are on their way at most that none need be dropped.
struct Relay: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "QoS 0 from publishers to a subscriber.")

    @OptionGroup var target: Target
    @Option var publishers = 1
    @Option(help: "Messages of each publisher.") var count = 200_000
    @Option(help: "The most that were sent and have not arrived.") var window = 800
    @Option var topic = "bench/relay"

    func run() throws {
        let reader = try target.connect(0, id: "reader")
        try reader.subscribe(topic)
        reader.stopWaiting()
        let packet = Packets.publish(Packets.field(topic), id: nil, Array("41.50".utf8))
        let links = try target.connect(0..<publishers, id: "writer")
        for link in links { link.stopWaiting() }
        let block = (0..<window).flatMap { _ in packet }
        let total = publishers * count
        // Bytes of each publisher, so that a packet that went in part is finished.
        var sent = [Int](repeating: 0, count: publishers)
        var arrived = 0
        let began = nanoseconds()
        while arrived < total {
            let allowed = min(total, arrived + window) * packet.count
            var isFull = false
            for (number, link) in links.enumerated() {
                let share = min(count * packet.count, allowed / publishers / packet.count * packet.count)
                while sent[number] < share {
                    let offset = sent[number] % block.count
                    let length = min(share - sent[number], block.count - offset)
                    let taken = try link.send(block, from: offset, to: offset + length)
                    sent[number] += taken
                    if taken < length {
                        isFull = true
                        break
                    }
                }
            }
            var entry = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, isFull ? 1 : 30_000)
            guard ready > 0 || isFull else { throw LoadError.silent("after \(arrived) of \(total) had arrived") }
            if ready > 0 { try reader.receive { type, _ in if type == 3 { arrived += 1 } } }
        }
        let seconds = Double(nanoseconds() - began) / 1e9
        report(["messages": Double(total), "seconds": seconds, "per_second": Double(total) / seconds])
    }
}
