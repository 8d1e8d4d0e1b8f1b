import ArgumentParser
import ClientKit
import Foundation
import HubKit
import NIOCore
import TriviaToyEngine
import UnixSignals
import Wire

/// `tandem provision`
struct ProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision", abstract: "Tells a trivia toy the Wi-Fi, and which hub it belongs to.",
        discussion: """
            With --port the toy is plugged in by USB, and set up by Improv Wi-Fi; --code is a code that an adult gets on \
            the page, and with it the toy gets a token of its own. With --legacy-socket an original toy is set up as its \
            app did: this machine is in the network Trivio, which the toy opens, and the toy dials it; once it is there \
            you press Return, and it is told. Whoever is in that network reads the password along, and anybody can open one of this name: do it where nobody else is near.

            Examples:
              tandem provision --port /dev/ttyUSB0 --ssid House --hub http://linden.local:8080 --code k7fq2m9x
              tandem provision --legacy-socket --listen 192.168.4.2:8080 --ssid House --user 18042
            """)

    @Option(help: ArgumentHelp("The serial line that the toy is plugged in at.", valueName: "path"))
    var port: String?

    @Flag(help: "Sets an original toy up, which dials this machine.")
    var legacySocket = false

    @Option(
        help: ArgumentHelp(
            "Where the original toy dials: this machine’s address in its network.", valueName: "address:port"))
    var listen: SocketPlace?

    @Option(help: "The name of the Wi-Fi.")
    var ssid: String

    @Option(
        help: ArgumentHelp("A file that holds the password of the Wi-Fi. Without it you are asked.", valueName: "file"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("The hub’s address, as the toy will reach it too.", valueName: "url"))
    var hub: String?

    @Option(help: "The code from the page; it holds for ten minutes, and once.")
    var code: String?

    @Option(help: "The number of the original’s user whose toy it is.")
    var user: UInt32?

    func validate() throws {
        guard legacySocket != (port != nil) else { throw ValidationError("Either --port or --legacy-socket.") }
        guard (1...32).contains(ssid.utf8.count) else {
            throw ValidationError("The name of a Wi-Fi has 1 to 32 bytes, and this one \(ssid.utf8.count).")
        }
        if legacySocket {
            guard listen != nil, let user, OriginalUser.numbers.contains(Int64(user)) else {
                throw ValidationError(
                    "--legacy-socket needs --listen, and the --user’s number from 1 to \(OriginalUser.numbers.upperBound)."
                )
            }
            guard !ssid.contains(":") else {
                throw ValidationError("An original toy cannot be told a network whose name has a colon.")
            }
        } else {
            guard hub != nil, code != nil else {
                throw ValidationError("--port needs --hub and --code. An adult gets a code on the page, under Toys.")
            }
        }
    }

    func run() async throws {
        do {
            try await legacySocket ? setUpOriginal() : setUpBySerial()
        } catch let failure as ImprovSetUp.Failure {
            throw ExitCode.saying(failure.description, code: 69)
        } catch let failure as HubClientError {
            throw ExitCode.saying(failure.description, code: 69)
        }
    }

    private func setUpOriginal() async throws {
        guard let listen, let user else { return }
        var message: [UInt8] = []
        let password = Array(try password().utf8)
        do throws(ProvisioningMessage.Fault) {
            try ProvisioningMessage.encode(
                user: user, ssid: Array(ssid.utf8).span, password: password.span, into: &message)
        } catch {
            throw ExitCode.saying(
                "An original toy cannot be told this: a name has at most 32 bytes and no colon, a password at most 63 and no line end.",
                code: 65)
        }
        CommandOutput.say(
            "Waiting for the toy at \(listen.host):\(listen.port). The password goes to it in clear text: whoever is in its network reads it along."
        )
        do {
            try await OriginalSetUp.serve(
                host: listen.host, port: listen.port, message: message,
                whenLost: { CommandOutput.say("\($0)") }, permission: Self.waitForReturn)
        } catch let failure as IOError {
            throw ExitCode.saying(
                "Nothing can dial \(listen.host):\(listen.port) on this machine (\(failure)). Is it in the network Trivio, and is this its address there?",
                code: 69)
        }
        CommandOutput.say(
            "The toy was told, and joins \(ssid) now. If it does not, switch it off and on, and start anew.")
    }

    /// Returns when whoever sits at the terminal presses Return; at once where there is no terminal.
    @Sendable private static func waitForReturn() async throws {
        guard isatty(STDIN_FILENO) == 1 else { return }
        CommandOutput.say("A toy is there. Press Return to tell it the Wi-Fi and its password, or Ctrl-C to leave.")
        // On a thread of its own: a read of the terminal blocks.
        let isPressed = await withCheckedContinuation { pressed in
            Thread.detachNewThread { pressed.resume(returning: readLine() != nil) }
        }
        guard isPressed else { throw CancellationError() }
    }

    private func setUpBySerial() async throws {
        guard let port, let hub, let code, let host = URLComponents(string: hub)?.host else {
            throw ExitCode.saying(
                "“\(hub ?? "")” is no address of a hub. One looks like http://linden.local:8080.", code: 64)
        }
        let descriptor: CInt
        do throws(SerialPort.Failure) {
            descriptor = try SerialPort.open(port)
        } catch {
            throw ExitCode.saying("\(port) \(error.words)", code: 66)
        }
        let password = try password()
        if ["localhost", "::1", "[::1]"].contains(host) || host.hasPrefix("127.") {
            CommandOutput.say("The toy is told \(host): none reaches that but one that this computer plays.")
        }
        let client = try HubClient.stranger(url: hub)
        let answer = try await client.post(
            "/api/toy/pairing/redemption", json: RedemptionRequest(code: code, host: host))
        let paired: Redemption = try answer.decoded()
        let ssid = Array(ssid.utf8)
        let settings = ImprovSetUp.Settings(
            ssid: ssid, password: Array(password.utf8),
            host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")),
            port: UInt16(clamping: paired.mqttPort), device: paired.device, token: paired.token)
        do {
            try await Self.untilEnded { try await tell(settings, by: descriptor) }
        } catch {
            // Neither a toy that nobody has nor a code that was used for nothing.
            let given = ReturnRequest(code: code, device: paired.device, token: paired.token)
            if (try? await client.post("/api/toy/pairing/return", json: given)) != nil {
                CommandOutput.say("The code holds for another ten minutes.")
            }
            if error is CancellationError { throw ExitCode(130) }
            throw error
        }
        print("The toy has joined \(self.ssid), and is \(paired.device) in the hub.")
    }

    /// Runs `body`, and gives it up when the process is asked to end, so that what was begun can be taken back.
    ///
    /// - Throws: a `CancellationError` then, or what `body` throws.
    private static func untilEnded(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup) {
                    throw CancellationError()
                }
                try Task.checkCancellation()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func tell(_ settings: ImprovSetUp.Settings, by descriptor: CInt) async throws {
        let canAsk = passwordFile == nil && isatty(STDIN_FILENO) == 1
        try await ByteLink.open(.descriptor(descriptor)) { link, incoming in
            var setUp = ImprovSetUp(link, incoming)
            do {
                try await setUp.setUp(settings)
            } catch let failure as ImprovSetUp.Failure where failure.isOfNetwork && canAsk {
                CommandOutput.say("\(failure) Type the password once more.")
                try await setUp.join(settings.ssid, Array(try PasswordPrompt.read().utf8))
            }
        }
    }

    private func password() throws -> String {
        guard let passwordFile else {
            do {
                return try PasswordPrompt.read()
            } catch {
                throw ExitCode.saying("\(error)", code: 64)
            }
        }
        do throws(CommandFile.Failure) {
            let bytes = try CommandFile.read(passwordFile, upTo: 256)
            return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        } catch {
            throw ExitCode.saying("\(passwordFile) \(error.message)", code: error.code)
        }
    }
}

/// An address with its port: `192.168.4.2:8080`, `[fe80::1]:8080`.
struct SocketPlace: ExpressibleByArgument, Sendable {
    var host: String
    var port: Int

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        host = argument[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard !host.isEmpty else { return nil }
        self.port = port
    }
}

private struct RedemptionRequest: Encodable { var code, host: String }

private struct ReturnRequest: Encodable { var code, device, token: String }

private struct Redemption: Decodable {
    var device, token: String
    var mqttPort: Int
}
