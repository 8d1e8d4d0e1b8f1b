import Foundation
import HubKit
import MQTT

/// The distribution of the files that the process may have open. Each connection needs one, and clients decide how many
/// there are; the hub's own files must never run out, since libdispatch ends a process whose queue cannot have the file
/// it needs.
///
/// The reserve comes first. Of the rest, pages get what they want but at most half, and MQTT gets the remainder; a
/// quarter of that is for clients that were not accepted yet.
public struct FileBudget: Sendable, Equatable {
    /// The parameters of the distribution.
    public struct Settings: Sendable, Equatable {
        /// The files for the database and its readers, the web's files, uploads and downloads, name lookups,
        /// subprocesses, push services, the listeners, and connections that are being closed or accepted.
        public var reserve = 128
        /// The additional files for each processor: its event loop has three.
        public var reservePerProcessor = 4
        /// The number of files for connections below which no household could be served.
        public var leastForConnections = 48

        /// Creates the default parameters.
        public init() {}
    }

    /// The number of connections to the pages.
    public let pages: Int
    /// The number of accepted MQTT clients.
    public let clients: Int
    /// The number of MQTT connections that were not accepted yet.
    public let halfOpen: Int
    /// The number of files that no connection gets.
    public let reserve: Int

    /// Distributes the files.
    ///
    /// - Parameters:
    ///   - files: the number of files that the process may have open.
    ///   - processors: the number of active processors.
    ///   - pages: the limits that pages want.
    ///   - messages: the limits that MQTT wants.
    ///   - settings: the parameters of the distribution.
    /// - Throws: `TooFewFiles`, in words for the person who starts the hub.
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

    /// The limits with their share. One address gets at most half of it, so that it cannot take all.
    public func limited(_ limits: ConnectionLimits) -> ConnectionLimits {
        var limits = limits
        limits.total = pages
        limits.perPeer = min(limits.perPeer, max(pages / 2, 1))
        return limits
    }

    /// The limits with their share. One address gets at most half of it, so that it cannot take all.
    public func limited(_ limits: Limits) -> Limits {
        var limits = limits
        limits.connections = clients
        limits.connectionsPerAddress = min(limits.connectionsPerAddress, max(clients / 2, 1))
        limits.halfOpenConnections = halfOpen
        limits.halfOpenConnectionsPerAddress = min(limits.halfOpenConnectionsPerAddress, max(halfOpen / 2, 1))
        return limits
    }
}

/// An error if the process may have too few files open to serve anyone.
public struct TooFewFiles: Error, Equatable, CustomStringConvertible {
    /// The number of files that it may have open.
    public var files: Int
    /// The number of files that it needs.
    public var needed: Int

    public var description: String {
        "The hub may have \(files) files open and needs at least \(needed). Allow more: `ulimit -n 4096` in the shell that starts it, or LimitNOFILE= in its systemd unit."
    }
}

/// The number of files that the process may have open: RLIMIT_NOFILE of setrlimit(2).
public enum OpenFileLimit {
    /// The highest limit that the hub sets, more than it can use. Programs that it starts inherit the limit, and some
    /// iterate over all of it.
    static let most = 65_536

    /// Raises the limit as far as the process may, and returns the new one. A shell's 1,024 exists for programs that
    /// use select(2), which the hub does not.
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
