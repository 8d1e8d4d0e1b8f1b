import ClientKit
import Synchronization
import TriviaToyEngine
import Wire

/// Sets a toy up over a serial line, by Improv Wi-Fi: which hub it is to speak to, then the network. After what went
/// wrong the same toy can be told something else at once.
struct ImprovSetUp {
    /// The settings that the toy is told.
    struct Settings: Sendable {
        var ssid, password: [UInt8]
        var host: String
        var port: UInt16
        var device, token: String
    }

    /// The reason why the toy is not set up, in words for whoever does it.
    enum Failure: Error, Equatable, CustomStringConvertible {
        /// The toy said that something went wrong.
        case said(ImprovError)
        /// The device speaks Improv, and does not know the command for the hub.
        case noToy
        /// The line brought nothing, or nothing more.
        case silent
        /// The line was closed.
        case gone

        var description: String {
            switch self {
            case .said(.unableToConnect):
                "The toy could not join this network. Is the password right, and is it a network of 2.4 GHz that reaches the toy?"
            case .said(.badHostname): "The toy does not know which hub it is to speak to."
            case .said(.invalidPacket):
                "The toy cannot take this name or this password: a line break stands in it, or it is too long."
            case .said(.unknownCommand), .noToy:
                "What is plugged in there is no trivia toy of Tandem’s, or its firmware is too old."
            case .said(.unknown), .said(.none): "The toy could not be set up, and does not say why. Try again."
            case .silent: "The toy does not answer. Is it switched on, and is this the right line?"
            case .gone: "The line was closed. Is the toy still plugged in?"
            }
        }

        /// Whether another password may help.
        var isOfNetwork: Bool { self == .said(.unableToConnect) || self == .said(.invalidPacket) }
    }

    /// The time for an answer. A toy needs half of it to join a network, and to find out that it does not go.
    static let patience = Duration.seconds(45)

    private let link: ByteLink
    private var incoming: ByteLink.Incoming
    private var reader = ImprovReader()

    init(_ link: ByteLink, _ incoming: ByteLink.Incoming) {
        self.link = link
        self.incoming = incoming
    }

    /// Tells the toy all of it, and returns when it has joined the network.
    ///
    /// - Throws: ``Failure``.
    mutating func setUp(_ settings: Settings) async throws {
        var data: [UInt8] = []
        HubCommand.encode(
            host: Array(settings.host.utf8).span, port: settings.port, device: Array(settings.device.utf8).span,
            token: Array(settings.token.utf8).span, into: &data)
        try await send(data)
        do {
            try await result(of: HubCommand.number)
        } catch Failure.said(.unknownCommand) {
            throw Failure.noToy
        }
        try await join(settings.ssid, settings.password)
    }

    /// Tells the toy another network, or another password, and returns when it has joined.
    ///
    /// - Throws: ``Failure``.
    mutating func join(_ ssid: [UInt8], _ password: [UInt8]) async throws {
        var data: [UInt8] = []
        ImprovCommand.encodeWifiSettings(ssid: ssid.span, password: password.span, into: &data)
        try await send(data)
        try await result(of: ImprovCommand.wifiSettingsNumber)
    }

    private func send(_ data: [UInt8]) async throws {
        var packet: [UInt8] = []
        ImprovPacket.encode(.command, data: data.span, into: &packet)
        try await link.send(packet)
    }

    /// Waits for the result of a command.
    private mutating func result(of command: UInt8) async throws {
        // The line is closed when it takes too long: nothing else ends a read of it.
        let link = link
        let isLate = Flag()
        let watch = Task {
            try await Task.sleep(for: Self.patience)
            isLate.set()
            await link.close()
        }
        defer { watch.cancel() }
        while true {
            while let message = reader.next() {
                switch message.kind {
                case .result where message.data.first == command: return
                case .errorState:
                    let error = message.data.first.flatMap { ImprovError(rawValue: $0) } ?? .unknown
                    if error != .none { throw Failure.said(error) }
                case .result, .currentState, .command: break
                }
            }
            guard let bytes = try await incoming.next() else {
                throw isLate.isSet ? Failure.silent : Failure.gone
            }
            reader.append(bytes.span)
        }
    }
}

/// A flag for something that has happened, for whoever asks afterwards.
private final class Flag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() { flag.withLock { $0 = true } }
}
