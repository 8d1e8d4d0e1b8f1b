import Foundation
import NIOCore
import NIOPosix

/// The check whether the hub can listen on a port.
public struct PortCheck: Sendable {
    /// The outcome of an attempt to listen.
    public enum Outcome: Sendable, Equatable {
        /// Listening works.
        case free
        /// Another socket listens there; nil if its program is not known.
        case taken(PortHolder?)
        /// Listening there needs more rights than this user has.
        case notPermitted
        /// The address is not one of this machine's.
        case noSuchAddress
        /// The system refused for another reason.
        case refused(String)
    }

    private let port: Int
    private let host: String
    private let flag: String

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - port: the port.
    ///   - host: the address to listen on.
    ///   - flag: the command-line flag that chooses another port.
    public init(port: Int, host: String, flag: String) {
        self.port = port
        self.host = host
        self.flag = flag
    }

    /// The finding for an outcome.
    public func finding(_ outcome: Outcome) -> Finding {
        let refused = "Port \(port) on \(host) cannot be used"
        return switch outcome {
        case .free: .well("port", "Port \(port) is free.")
        case .taken(let holder):
            .fault(
                "port", "\(refused): \(holder?.words ?? "another program") has it.",
                "Stop that program, or choose another port with \(flag).")
        case .notPermitted:
            .fault(
                "port", "\(refused): ports below 1024 need more rights.",
                "Choose one above 1023 with \(flag), or let a proxy stand in front.")
        case .noSuchAddress:
            .fault(
                "port", "\(refused): \(host) is no address of this machine.",
                "Leave --host out, or give one that `ip address` lists.")
        case .refused(let reason):
            .fault("port", "\(refused): \(reason).", "Choose another port with \(flag).")
        }
    }

    /// Listens for a moment, and says how that went.
    public func run() async -> Finding {
        do {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
            try await channel.close()
            return finding(.free)
        } catch let error as IOError {
            switch error.errnoCode {
            case EADDRINUSE: return finding(.taken(PortHolder.find(port: port)))
            case EACCES, EPERM: return finding(.notPermitted)
            case EADDRNOTAVAIL: return finding(.noSuchAddress)
            default: return finding(.refused(String(cString: strerror(error.errnoCode))))
            }
        } catch {
            return finding(.refused("\(error)"))
        }
    }
}
