import Logging
import ServiceLifecycle
import Subprocess
import Synchronization

/// Tells the local network where the hub is, by mDNS and DNS-SD (RFC 6762, RFC 6763), through Avahi's own program.
///
/// Avahi announces the machine's host name by itself. What is added is the service `_https._tcp`, and, where the hub
/// keeps a name that the machine no longer has, an address record for that name.
public final class Announcement: Service {
    /// What came of it, in words for the owner.
    public struct State: Encodable, Sendable, Equatable {
        /// Whether phones can find the hub by its name.
        public var isAnnounced: Bool
        /// What holds, and what to do about it.
        public var words: String
    }

    private let hostName: String
    private let port: Int
    private let addresses: @Sendable () -> [String]
    private let isMachineName: @Sendable () -> Bool
    private let log: Logger
    private let current: Mutex<State>

    private static let retry = Duration.seconds(30)

    /// - Parameters:
    ///   - hostName: with `.local`.
    ///   - port: of HTTPS.
    ///   - isMachineName: whether Avahi announces the name already, since it is the machine's own.
    ///   - addresses: the machine's addresses on the local network, asked at each start.
    public init(
        hostName: String, port: Int, isMachineName: @escaping @Sendable () -> Bool,
        addresses: @escaping @Sendable () -> [String], log: Logger
    ) {
        self.hostName = hostName
        self.port = port
        self.isMachineName = isMachineName
        self.addresses = addresses
        self.log = log
        current = Mutex(State(isAnnounced: false, words: "\(hostName) is being announced."))
    }

    /// What holds now.
    public var state: State { current.withLock { $0 } }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.announce()
                try await Task.sleep(for: Self.retry)
            }
        }
    }

    /// Publishes until the program ends, which it does when Avahi stops.
    private func announce() async {
        await withTaskGroup(of: Void.self) { group in
            let service = ["-s", "Tandem on \(hostName)", "_https._tcp", String(port), "path=/"]
            if isMachineName() {
                group.addTask { await self.publish(service) }
            } else {
                group.addTask { await self.publish(["-H", self.hostName] + service) }
                for address in addresses() {
                    group.addTask { await self.publish(["-a", "-R", self.hostName, address]) }
                }
            }
            await group.waitForAll()
        }
    }

    /// `avahi-publish` ends when its shell does, and that when the hub does, however it ends: the pipe closes.
    private static let script = """
        trap 'kill $child 2>/dev/null; exit' TERM
        "$@" </dev/null & child=$!
        exec 2>&-
        read -r line
        kill $child 2>/dev/null
        """

    private func publish(_ arguments: [String]) async {
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .milliseconds(500))]
        do {
            _ = try await Subprocess.run(
                .path("/bin/sh"), arguments: .init(["-c", Self.script, "sh", "avahi-publish"] + arguments),
                environment: .inherit.updating(["LC_ALL": "C"]), platformOptions: options, input: .inputWriter,
                output: .discarded, error: .sequence
            ) { execution in
                for try await line in execution.standardError.strings() { note(line) }
                try await execution.standardInputWriter.finish()
            }
        } catch {
            if !Task.isCancelled { become(Self.failed(hostName, because: "its program could not be started")) }
        }
    }

    /// What `avahi-publish` says, in words for the owner.
    func note(_ line: String) {
        if line.contains("Established") {
            become(State(isAnnounced: true, words: "Announced to this network as \(hostName), by Avahi."))
        } else if line.contains("not found") {
            become(
                State(
                    isAnnounced: false,
                    words:
                        "Nothing announces \(hostName): Avahi is not installed. On Debian: apt-get install avahi-daemon avahi-utils. Until then a phone finds the hub only if your router knows its name."
                ))
        } else if line.contains("Daemon not running") || line.contains("Failed to create client") {
            become(Self.failed(hostName, because: "Avahi is not running. Start it: systemctl start avahi-daemon"))
        } else if line.contains("collision") {
            become(
                Self.failed(
                    hostName,
                    because: "another machine in this network has that name. Start the hub with another --name"))
        } else if line.contains("Disconnected") {
            become(Self.failed(hostName, because: "Avahi has stopped; the hub tries again"))
        }
    }

    private static func failed(_ name: String, because reason: String) -> State {
        State(isAnnounced: false, words: "Nothing announces \(name): \(reason).")
    }

    private func become(_ state: State) {
        let isNew = current.withLock { current in
            defer { current = state }
            return current != state
        }
        if isNew { log.info("\(state.words)") }
    }
}
