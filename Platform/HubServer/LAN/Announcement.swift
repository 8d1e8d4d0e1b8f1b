import HubKit
import Localization
import Logging
import ServiceLifecycle
import Subprocess
import Synchronization

/// The announcement of the hub on the local network by mDNS and DNS-SD (RFC 6762, RFC 6763), through Avahi's program.
///
/// The hub's name is announced as an address record of its own, even if it is the machine's: Avahi renames a machine
/// silently when another has its name, but reports it for a record.
public final class Announcement: Service {
    /// The state of the announcement, in words for the owner.
    public struct State: Sendable, Equatable {
        /// Whether phones can find the hub by its name.
        public var isAnnounced: Bool
        /// The state in words, with what to do about it.
        public var text: LocalizedText

        /// The state in English words, for the log and the terminal.
        public var words: String { text.english }
    }

    private let hostName: String
    private let port: Int
    private let addresses: @Sendable () -> [String]
    private let log: Logger
    private let current: Mutex<State>
    /// Whether the first attempt has ended, for callers that wait to show the hub's address.
    private let isTried = Mutex(false)
    private let begunAt = ContinuousClock.now
    private let tried = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private static let interval = Duration.seconds(30)
    /// The time after which a name counts as not announced. Avahi needs a second; if it is not running, its program
    /// waits silently.
    private static let patience = Duration.seconds(3)

    /// Creates the announcement.
    ///
    /// - Parameters:
    ///   - hostName: the name with `.local`.
    ///   - port: the port of HTTPS.
    ///   - addresses: the machine's addresses on the local network, asked every half a minute.
    ///   - log: the log.
    public init(hostName: String, port: Int, addresses: @escaping @Sendable () -> [String], log: Logger) {
        self.hostName = hostName
        self.port = port
        self.addresses = addresses
        self.log = log
        current = Mutex(Self.begun(hostName))
    }

    /// The current state.
    public var state: State { current.withLock { $0 } }

    /// Whether the name is not announced although there was time: then phones find the hub only by its address.
    var hasFailed: Bool {
        !state.isAnnounced && (isTried.withLock { $0 } || ContinuousClock.now - begunAt >= Self.patience)
    }

    /// Waits until the name is announced, or known not to be. For one caller.
    public func waitForFirstAttempt() async {
        let time = Self.patience - (ContinuousClock.now - begunAt)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.tried.stream { return } }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Announces the hub, and again when the machine's addresses change, until graceful shutdown or cancellation. If it
    /// fails it is tried again every half a minute, and `state` says why.
    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled { try await self.announceUntilAddressesChange() }
        }
    }

    private func announceUntilAddressesChange() async throws {
        let announced = addresses()
        become(
            announced.isEmpty
                ? Self.failed(
                    LocalizedText(
                        "Nothing announces \(hostName): this machine has no address in a home network. Is its cable in, or its Wi-Fi on?"
                    ))
                : Self.begun(hostName))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await self.keepPublishing(
                    ["-f", "-s", "-H", self.hostName, "Tandem", "_https._tcp", String(self.port), "path=/"],
                    isAddress: false)
            }
            for address in announced {
                group.addTask {
                    try await self.keepPublishing(["-f", "-a", "-R", self.hostName, address], isAddress: true)
                }
            }
            repeat { try await Task.sleep(for: Self.interval) } while self.addresses() == announced
            group.cancelAll()
        }
    }

    /// Publishes and repeats that when the program ends. With `-f` it waits for Avahi, but it ends if not even D-Bus is
    /// there.
    private func keepPublishing(_ arguments: [String], isAddress: Bool) async throws {
        while !Task.isCancelled {
            await publish(arguments, isAddress: isAddress)
            try await Task.sleep(for: Self.interval)
        }
    }

    /// A script that ends `avahi-publish` when the hub ends in any way: its pipe closes.
    private static let script = """
        trap 'kill $child 2>/dev/null; exit' TERM
        "$@" </dev/null & child=$!
        exec 2>&-
        read -r line
        kill $child 2>/dev/null
        """

    private func publish(_ arguments: [String], isAddress: Bool) async {
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .milliseconds(500))]
        do {
            _ = try await Subprocess.run(
                .path("/bin/sh"), arguments: .init(["-c", Self.script, "sh", "avahi-publish"] + arguments),
                environment: .inherit.updating(["LC_ALL": "C"]), platformOptions: options, input: .inputWriter,
                output: .discarded, error: .sequence
            ) { execution in
                for try await line in execution.standardError.strings() where isAddress { note(line) }
                try await execution.standardInputWriter.finish()
            }
        } catch {
            if !Task.isCancelled, isAddress {
                become(
                    Self.failed(
                        LocalizedText("Nothing announces \(hostName): Avahi’s program could not be started.")))
            }
        }
    }

    /// Translates the output of `avahi-publish` about the name's address into words for the owner. Its exit code says
    /// nothing.
    func note(_ line: String) {
        if line.contains("Established") {
            become(
                State(
                    isAnnounced: true, text: LocalizedText("Announced to this network as \(hostName), by Avahi.")))
        } else if line.contains("not found") {
            become(
                Self.failed(
                    LocalizedText(
                        "Nothing announces \(hostName): Avahi is not installed. On Debian: apt-get install avahi-daemon avahi-utils. Until then a phone finds the hub only if your router knows its name."
                    )))
        } else if line.contains("Daemon not running") || line.contains("Failed to create client") {
            become(
                Self.failed(
                    LocalizedText(
                        "Nothing announces \(hostName): Avahi is not running. Start it: systemctl start avahi-daemon."
                    )))
        } else if line.contains("collision") {
            become(
                Self.failed(
                    LocalizedText(
                        "Nothing announces \(hostName): another machine in this network has that name. Start the hub with another --name."
                    )))
        } else if line.contains("Disconnected") || line.contains("Client failure") {
            become(
                Self.failed(
                    LocalizedText("Nothing announces \(hostName): Avahi has stopped; the hub tries again.")))
        }
    }

    private static func begun(_ name: String) -> State {
        State(isAnnounced: false, text: LocalizedText("\(name) is being announced."))
    }

    private static func failed(_ text: LocalizedText) -> State { State(isAnnounced: false, text: text) }

    private func become(_ state: State) {
        let isNew = current.withLock { current in
            defer { current = state }
            return current != state
        }
        if isNew { log.info("\(state.words)") }
        guard state != Self.begun(hostName) else { return }
        isTried.withLock { $0 = true }
        tried.continuation.yield()
    }
}
