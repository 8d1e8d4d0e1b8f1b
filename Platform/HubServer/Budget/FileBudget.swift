import Foundation
import HubKit
import MQTT

/// How the files that the process may have open are shared out. A connection is one of them, and whoever connects
/// decides how many there are; what the hub opens itself must never find none left, since libdispatch ends a process
/// whose queue cannot have the file it needs.
///
/// The reserve comes first. Of what is left the pages get what they want, but no more than half, and MQTT the rest; of
/// that a quarter is for clients that have not said yet who they are.
public struct FileBudget: Sendable, Equatable {
    /// What goes into the sharing.
    public struct Settings: Sendable, Equatable {
        /// For the database and its readers, the web's files, uploads and downloads, name look-ups, subprocesses, push
        /// services, the listeners, and connections that are just being closed or accepted.
        public var reserve = 128
        /// In addition, for each processor: its event loop has three.
        public var reservePerProcessor = 4
        /// With less than this for connections no household is served.
        public var leastForConnections = 48

        public init() {}
    }

    /// Connections to the pages.
    public let pages: Int
    /// Clients of MQTT that have been let in.
    public let clients: Int
    /// Network connections of MQTT that have not.
    public let halfOpen: Int
    /// What no connection gets.
    public let reserve: Int

    /// - Parameters:
    ///   - files: how many the process may have open.
    ///   - processors: of the machine, active ones.
    ///   - pages: what the pages want.
    ///   - messages: what MQTT wants.
    /// - Throws: `TooFewFiles`, in words for whoever starts the hub.
    public init(
        files: Int, processors: Int, pages: ConnectionLimits = .init(), messages: Limits = .init(),
        settings: Settings = .init()
    ) throws(TooFewFiles) {
        reserve = settings.reserve + processors * settings.reservePerProcessor
        let left = files - reserve
        guard left >= settings.leastForConnections else {
            throw TooFewFiles(files: files, needed: reserve + settings.leastForConnections)
        }
        self.pages = min(pages.total, left / 2)
        let forMessages = min(messages.connections + messages.halfOpenConnections, left - self.pages)
        halfOpen = min(messages.halfOpenConnections, forMessages / 4)
        clients = min(messages.connections, forMessages - halfOpen)
    }

    /// The limits with their share. One address gets half of it at most, so that it cannot hold all.
    public func limited(_ limits: ConnectionLimits) -> ConnectionLimits {
        var limits = limits
        limits.total = pages
        limits.perPeer = min(limits.perPeer, max(pages / 2, 1))
        return limits
    }

    /// The limits with their share. One address gets half of it at most, so that it cannot hold all.
    public func limited(_ limits: Limits) -> Limits {
        var limits = limits
        limits.connections = clients
        limits.connectionsPerAddress = min(limits.connectionsPerAddress, max(clients / 2, 1))
        limits.halfOpenConnections = halfOpen
        limits.halfOpenConnectionsPerAddress = min(limits.halfOpenConnectionsPerAddress, max(halfOpen / 2, 1))
        return limits
    }
}

/// The process may have so few files open that it could serve nobody.
public struct TooFewFiles: Error, Equatable, CustomStringConvertible {
    /// How many it may have.
    public var files: Int
    /// How many it wants at least.
    public var needed: Int

    public var description: String {
        "The hub may have \(files) files open and needs at least \(needed). Allow more: `ulimit -n 4096` in the shell that starts it, or LimitNOFILE= in its systemd unit."
    }
}

/// How many files the process may have open, RLIMIT_NOFILE of setrlimit(2).
public enum OpenFileLimit {
    /// More than the hub can ever use. Programs that it starts have the same limit, and some go through all of it.
    static let most = 65_536

    /// Raises the limit to the most that the process may set by itself, and returns what holds then. A shell's 1,024 is
    /// there for programs that use select(2), which the hub does not.
    public static func raise() -> Int {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return most }
        let soft = limit.rlim_cur
        limit.rlim_cur = max(soft, min(limit.rlim_max, rlim_t(most)))
        return setrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : Int(clamping: soft)
    }
}
