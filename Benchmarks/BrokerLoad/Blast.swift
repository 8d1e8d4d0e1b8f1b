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
