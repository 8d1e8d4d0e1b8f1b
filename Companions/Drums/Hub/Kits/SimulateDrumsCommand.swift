import ArgumentParser
import ClientKit
import DrumsEngine
import Foundation
import HubKit
import UnixSignals

/// `tandem simulate drums`
struct SimulateDrumsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drums", abstract: "Plays a drum kit for a hub: the kit’s firmware, and a person at it.",
        discussion: """
            The kit waits for a page to play with it, and goes on after a broken connection. Reactions are log-normal; \
            the same seed is the same person. With --stdio it speaks to no hub: bytes for the kit come on standard input, \
            its notifications leave on standard output, a line each; lines that begin with ! are the simulator’s own \
            (!reset, !lost, !back).

            Examples:
              tandem device add --kind drum-kit --name "Kit" --data ./data --json
              tandem simulate drums --device k7fq2m9x --token-file token --slower-side left
              printf 2 | tandem simulate drums --stdio --reaction-ms 400
            """)

    @Flag(help: "Speaks over standard input and output instead of to a hub.")
    var stdio = false

    @Option(help: ArgumentHelp("Where the hub listens.", valueName: "url"))
    var hub = HubAddress(argument: "mqtt://127.0.0.1:1883")!  // The literal is such an address.

    @Option(help: "The device’s id, as `tandem device add` or the page shows it.")
    var device: String?

    @OptionGroup var token: TokenOptions

    @OptionGroup var person: DrummerOptions

    func validate() throws {
        guard stdio != (device != nil), try stdio || token.value() != nil else {
            throw ValidationError(
                "Either --stdio, or the kit’s --device and --token. --token-file names a file with it.")
        }
    }

    func run() async throws {
        let player = VirtualKitPlayer(person.kit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                if let device, let token = try token.value() {
                    let address = DeviceLink.Address(host: hub.host, port: hub.port, device: device, token: token)
                    try await KitConnection(player: player, address: address).run()
                } else {
                    try await KitPipes(player: player).run()
                }
            }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return }
            }
            try await group.next()
            group.cancelAll()
        }
    }
}

/// The options about who plays, and what goes wrong.
struct DrummerOptions: ParsableArguments {
    /// The values of `--slower-side`.
    enum SlowerSide: String, ExpressibleByArgument, CaseIterable, Sendable { case left, right, none }

    @Option(help: "Which person: any whole number.")
    var seed: UInt64 = 1

    @Option(help: "The median reaction in milliseconds, rested and on the better side.")
    var reactionMs = 650

    @Option(help: "How much reactions differ from one another: the spread of their logarithm. 0 is a machine.")
    var spreadPercent = 25

    @Option(help: "How many strikes go to another drum first.")
    var wrongPercent = 8

    @Option(help: "The side of the slower hand.")
    var slowerSide = SlowerSide.none

    @Option(help: "By how much that side is slower.")
    var slowerPercent = 30

    @Option(help: "By how much reactions grow in ten minutes of playing.")
    var tiringPercent = 15

    @Option(help: "How often the radio is lost, on average; 0 is never.")
    var dropEverySeconds = 0

    @Option(help: "For how long it is lost.")
    var dropSeconds = 3

    @Option(help: "How often the kit is reset, on average; 0 is never.")
    var resetEverySeconds = 0

    func validate() throws {
        try Self.check(reactionMs, 20...10_000, "--reaction-ms")
        try Self.check(spreadPercent, 0...100, "--spread-percent")
        try Self.check(wrongPercent, 0...95, "--wrong-percent")
        try Self.check(slowerPercent, 0...500, "--slower-percent")
        try Self.check(tiringPercent, 0...500, "--tiring-percent")
        try Self.check(dropEverySeconds, 0...86_400, "--drop-every-seconds")
        try Self.check(dropSeconds, 1...3_600, "--drop-seconds")
        try Self.check(resetEverySeconds, 0...86_400, "--reset-every-seconds")
    }

    private static func check(_ value: Int, _ range: ClosedRange<Int>, _ name: String) throws {
        guard range.contains(value) else {
            throw ValidationError("\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// The kit, just switched on.
    var kit: VirtualKit {
        var traits = DrummerTraits()
        traits.medianReaction = Double(reactionMs)
        traits.spread = Double(spreadPercent) / 100
        traits.wrongShare = Double(wrongPercent) / 100
        traits.slowerSide = slowerSide == .left ? .left : slowerSide == .right ? .right : nil
        traits.slower = Double(slowerPercent) / 100
        traits.tiring = Double(tiringPercent) / 100
        let mishaps = KitMishaps(
            lostEvery: Int64(dropEverySeconds) * 1_000, lostFor: Int64(dropSeconds) * 1_000,
            resetEvery: Int64(resetEverySeconds) * 1_000)
        return VirtualKit(traits, mishaps: mishaps, seed: seed)
    }
}
