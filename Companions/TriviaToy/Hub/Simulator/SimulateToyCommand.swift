import ArgumentParser
import ClientKit
import DeviceParts
import Foundation
import HubKit
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard
import UnixSignals

/// `tandem simulate toy`
struct SimulateToyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toy", abstract: "Plays a trivia toy for a hub: the toy’s firmware on a board in memory.",
        discussion: """
            It fetches facts, speaks one when it is thrown, reports what it played, and goes on after a broken connection. \
            The page shows what it says, and where the hub has espeak-ng, it can be heard there. Lines on standard input \
            are what happens to it: throw, shake, press, good, bad, offline, online, empty (its battery), power (off and \
            on), setup (its middle button held). With --console nobody has set it up yet: it waits at a serial line of its \
            own for `tandem provision`. With --legacy-socket it has opened its own network, and dials whoever joined it, as \
            the original toy does: the original’s app, or `tandem provision --legacy-socket`, listens there.

            Examples:
              tandem device add --kind toy --name "Toy" --data ./data --json
              tandem simulate toy --device k7fq2m9x --token-file token --throw-every 20s
              tandem simulate toy --console
              tandem simulate toy --legacy-socket 127.0.0.1:8080 --legacy-server 127.0.0.1:80
            """)

    @Option(help: ArgumentHelp("Where the hub listens.", valueName: "url"))
    var hub = HubAddress(argument: "mqtt://127.0.0.1:1883")!  // The literal is such an address.

    @Option(help: "The device’s id, as `tandem device add` or the page shows it.")
    var device: String?

    @OptionGroup var token: TokenOptions

    @Flag(help: "Is set up at a serial line, whose name is printed, instead of by --device.")
    var console = false

    @Option(
        help: ArgumentHelp(
            "Is set up by the original’s socket: where the phone listens that has joined its network.",
            valueName: "address:port"))
    var legacySocket: SocketPlace?

    @Option(
        help: ArgumentHelp(
            "Where the original’s server is, for a toy that was set up by its socket: the hub’s --legacy-http-port. By default its own name.",
            valueName: "address:port"))
    var legacyServer: SocketPlace?

    @Option(help: ArgumentHelp("How often it is thrown: 20s, 5m.", valueName: "time"))
    var throwEvery: SimulatedInterval?

    @Option(
        help: ArgumentHelp(
            "The file that is the toy’s memory, so that it remembers what it has played. By default one of its own in ~/.local/state/tandem.",
            valueName: "file"))
    var memory: String?

    @Option(help: "The password of the Wi-Fi that it lives in, which is called House.")
    var wifiPassword = "sesame open"

    @Option(help: "Which noise its motion sensor has: any whole number.")
    var seed: UInt32 = 1

    func validate() throws {
        let ways = [console, device != nil, legacySocket != nil].count { $0 }
        guard ways == 1, try device == nil || token.value() != nil else {
            throw ValidationError(
                "Either --console, or --legacy-socket, or the toy’s --device and --token. --token-file names a file with it."
            )
        }
        guard hub.host.utf8.count <= 64, device.map({ (1...32).contains($0.utf8.count) }) ?? true else {
            throw ValidationError("The hub’s name has at most 64 letters, the device’s id 32.")
        }
    }

    func run() async throws {
        let file = ToyMemoryFile(path: memory, device: device)
        let player = ToyPlayer(toy: try toy(file), throwEvery: throwEvery?.milliseconds, places: places)
        let terminal = console ? try PseudoTerminal() : nil
        // At once, also into a pipe: whoever reads it waits for it.
        if let terminal { FileHandle.standardOutput.write(Data((terminal.path + "\n").utf8)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                if let terminal {
                    try await ByteLink.open(.descriptor(terminal.descriptor)) { link, incoming in
                        try await play(player, file, console: link, &incoming)
                    }
                } else {
                    try await player.run { try await tell($0, file, console: nil) }
                }
            }
            group.addTask { await Hands(inbox: player.inbox).follow() }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { throw CancellationError() }
            }
            do {
                while try await group.next() != nil {}
            } catch is CancellationError {
                // It was ended from outside.
            }
            group.cancelAll()
        }
    }

    /// The places behind the names that the toy dials, which mean nothing on this machine.
    private var places: [ToyPlayer.Place] {
        [
            legacySocket.map { .init(name: "192.168.4.2", host: $0.host, port: $0.port) },
            legacyServer.map { .init(name: OriginalSystem.host, host: $0.host, port: $0.port) },
        ].compactMap { $0 }
    }

    /// The toy as it is switched on, with what it remembers.
    private func toy(_ file: ToyMemoryFile) throws -> VirtualToy {
        var toy = VirtualToy(board: VirtualBoard(seed: seed, memory: device == nil ? [] : file.content))
        toy.toy.board.wifi.password = Array(wifiPassword.utf8)
        // A button that is held while it is switched on does nothing.
        if legacySocket != nil { toy.schedule(Hands.setUp, at: toy.toy.board.milliseconds + 500) }
        guard let device, let token = try token.value() else { return toy }
        var settings = LinkSettings()
        toy.toy.board.wifi.ssid.forEach { settings.ssid.append($0) }
        toy.toy.board.wifi.password.forEach { settings.password.append($0) }
        hub.host.utf8.forEach { settings.host.append($0) }
        settings.port = UInt16(clamping: hub.port)
        device.utf8.forEach { settings.device.append($0) }
        token.utf8.forEach { settings.token.append($0) }
        toy.toy.provision(settings)
        return toy
    }

    private func play(
        _ player: ToyPlayer, _ file: ToyMemoryFile, console: ByteLink, _ incoming: inout ByteLink.Incoming
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await player.run { try await tell($0, file, console: console) } }
            while let bytes = try await incoming.next() { player.inbox.add(.typed(bytes)) }
            try await group.waitForAll()
        }
    }

    private func tell(_ output: ToyPlayer.Output, _ file: ToyMemoryFile, console: ByteLink?) async throws {
        switch output {
        case .link(let isOnline):
            CommandOutput.say(
                isOnline ? "The toy is connected with the hub." : "The toy is not connected with the hub.")
        case .said(let words): CommandOutput.say("The toy says: \(words)")
        case .console(let bytes): try await console?.send(bytes)
        case .memory(let content): if device != nil { file.save(content) }
        }
    }
}

/// A time as it is typed: `20s`, `500ms`, `5m`.
struct SimulatedInterval: ExpressibleByArgument, Sendable {
    var milliseconds: Int64

    init?(argument: String) {
        let units: [(String, Int64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        for (unit, length) in units where argument.hasSuffix(unit) {
            guard let count = Int64(argument.dropLast(unit.count)), (1...86_400_000).contains(count) else { continue }
            milliseconds = count * length
            return
        }
        return nil
    }
}
