import ArgumentParser

/// Loads an MQTT broker and says how it did: what `Benchmarks/brokers.py` measures the hub and mosquitto with, by turns.
///
/// One thread, plain sockets and packets that are encoded before the clock starts, so that the broker is the limit. Each
/// subcommand prints one line of JSON.
@main
struct BrokerLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker-load", abstract: "Loads an MQTT broker and says how it did.",
        subcommands: [Blast.self, Relay.self, Pace.self, Fan.self, Idle.self, Flood.self, SlowReaders.self])
}

/// Where the broker is, and as whom to sign in.
struct Target: ParsableArguments {
    @Option(help: "The broker's port on 127.0.0.1.")
    var port: UInt16 = 1883

    @Option(help: "NAME:TOKEN to sign in with; several for connections that take turns. Without: anonymous.")
    var login: [String] = []

    /// Connects the `number`th client and waits until it is let in.
    func connect(_ number: Int, id: String) throws -> Link {
        let link = try Link(port: port)
        try link.signIn(id: "\(id)-\(number)", login: login.isEmpty ? nil : self.login(number))
        return link
    }

    /// Connects several clients, one after the other.
    ///
    /// - Parameter topic: what each of them subscribes to; nil for nothing.
    func connect(_ numbers: Range<Int>, id: String, subscribingTo topic: String? = nil) throws -> [Link] {
        try numbers.map { number in
            let link = try connect(number, id: id)
            if let topic { try link.subscribe(topic) }
            return link
        }
    }

    /// Of the `number`th client.
    func login(_ number: Int) -> (name: String, token: String) {
        let parts = login[number % login.count].split(separator: ":", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    /// A topic with the places for connection, quantity and device filled in.
    func topic(_ pattern: String, connection: Int, quantity: String) -> String {
        var topic = pattern
        for (place, text) in [
            ("{connection}", "\(connection)"), ("{quantity}", quantity),
            ("{login}", login.isEmpty ? "anybody" : login(connection).name),
        ] {
            while let range = topic.range(of: place) { topic.replaceSubrange(range, with: text) }
        }
        return topic
    }
}
