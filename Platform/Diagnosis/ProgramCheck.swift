import Foundation

/// The check whether a program of the system is installed.
public struct ProgramCheck: Sendable {
    private let name: String
    private let package: String
    private let loss: String

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - name: the program, as it is called.
    ///   - package: Debian's package that holds it.
    ///   - loss: the sentence that says what does not work without it.
    public init(name: String, package: String, loss: String) {
        self.name = name
        self.package = package
        self.loss = loss
    }

    /// The finding for a program that is installed, or not.
    public func finding(isInstalled: Bool) -> Finding {
        isInstalled
            ? .well("program", "\(name) is installed.")
            : .warning("program", "\(name) is not installed. \(loss)", "On Debian: apt-get install \(package)")
    }

    /// Looks for the program in the folders of the search path.
    public func run() -> Finding { finding(isInstalled: Self.isInstalled(name)) }

    static func isInstalled(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
}

/// The check whether phones can find the hub by its name, which Avahi announces by mDNS.
public struct AnnouncerCheck: Sendable {
    private static let loss =
        "Phones find the hub by its number alone, https://<address>:<port>, which the router should then always give it."

    /// Creates the check.
    public init() {}

    /// The finding for the two halves of Avahi.
    ///
    /// - Parameters:
    ///   - hasProgram: whether `avahi-publish` is installed.
    ///   - isRunning: whether the daemon takes requests.
    public func finding(hasProgram: Bool, isRunning: Bool) -> Finding {
        guard hasProgram else {
            return .fault(
                "announcer", "Avahi is not installed, so that nothing announces the hub’s name. \(Self.loss)",
                "On Debian: apt-get install avahi-daemon avahi-utils")
        }
        guard isRunning else {
            return .warning(
                "announcer",
                "Avahi’s programs are installed, but its daemon does not run, so that nothing announces the hub’s name. \(Self.loss)",
                "Start it: systemctl enable --now avahi-daemon. In a container, hand in the machine’s /run/dbus/system_bus_socket."
            )
        }
        return .well("announcer", "Avahi announces the hub’s name.")
    }

    /// Looks for Avahi's program, and for the socket of its daemon or that of the system's bus, by which a container
    /// reaches the daemon of its machine.
    public func run() -> Finding {
        let daemon = ["/run/avahi-daemon/socket", "/run/avahi-daemon/pid"]
        let bus = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]
        func isThere(_ paths: [String]) -> Bool { paths.contains { FileManager.default.fileExists(atPath: $0) } }
        let isContainer = isThere(["/.dockerenv", "/run/.containerenv"])
        return finding(
            hasProgram: ProgramCheck.isInstalled("avahi-publish"),
            isRunning: isThere(daemon) || isContainer && isThere(bus))
    }
}
