import Logging
import NIOCore
import NIOSSL

/// The TLS handshakes of one listener's new connections, with limits for connections that never complete theirs.
///
/// In the initialiser of a child channel:
///
/// ```swift
/// let result = try acceptor.start(on: channel) { start in
///     switch start {
///     case .tls(applicationProtocol: "h2"): ...  // Adds the handlers of HTTP/2.
///     case .tls: ...
///     case .plainHTTP: ...
///     }
/// }
/// ```
public struct TLSAcceptor: Sendable {
    /// The limits for connections during their handshake.
    public struct Limits: Sendable {
        /// The number of connections during their handshake. Above it, the one that has waited longest is closed, of
        /// the address with the most.
        public var halfOpen: Int
        /// The number of connections of one address during their handshake. Above it, the one that has waited longest
        /// is closed.
        public var halfOpenPerPeer: Int
        /// The time from the connection to the end of its handshake, or to the start of the first line if that is plain
        /// HTTP.
        public var deadline = TimeAmount.seconds(10)

        /// Creates the limits.
        public init(halfOpen: Int = 512, halfOpenPerPeer: Int = 64) {
            self.halfOpen = halfOpen
            self.halfOpenPerPeer = halfOpenPerPeer
        }
    }

    /// The protocol that a client uses.
    public enum Start: Sendable, Equatable {
        /// TLS, with the protocol agreed by ALPN; nil if the client asked for none that was offered.
        case tls(applicationProtocol: String?)
        /// HTTP without TLS; nothing of its request is lost.
        case plainHTTP
    }

    private let halfOpen: OpenConnections
    private let limits: Limits
    private let logger: Logger
    private let context: @Sendable () throws -> NIOSSLContext

    /// Creates an acceptor.
    ///
    /// - Parameters:
    ///   - limits: the limits during the handshake.
    ///   - logger: the log.
    ///   - context: returns the TLS settings for each connection, so that a new certificate is used from the next one
    ///     on.
    public init(limits: Limits = Limits(), logger: Logger, context: @escaping @Sendable () throws -> NIOSSLContext) {
        self.limits = limits
        self.logger = logger
        self.context = context
        halfOpen = OpenConnections(maximum: limits.halfOpen, maximumPerPeer: limits.halfOpenPerPeer)
    }

    /// The number of connections during their handshake.
    public var halfOpenCount: Int { halfOpen.count }

    /// Examines the first bytes of a new connection: TLS continues with its handshake, HTTP without TLS is recognised,
    /// and anything else is closed. Call it on the channel's event loop, before the channel is active.
    ///
    /// - Parameters:
    ///   - channel: the new connection.
    ///   - configure: adds the handlers for the client's protocol, on the event loop; bytes that arrive meanwhile wait.
    /// - Returns: the result of `configure`. It fails if the connection ends before, and the channel is closed then. It
    ///   completes after the child channel's initialiser, which must not wait for it.
    public func start<Value: Sendable>(
        on channel: any Channel, configure: @escaping @Sendable (Start) -> EventLoopFuture<Value>
    ) throws -> EventLoopFuture<Value> {
        let promise = channel.eventLoop.makePromise(of: Value.self)
        do {
            try addHandlers(to: channel, takesPlainHTTP: true, isShared: false) { start in
                let configured = configure(start)
                configured.cascade(to: promise)
                return configured.map { _ in }
            } ended: {
                promise.fail($0)
            }
        } catch {
            // The client may be gone already; a promise that nobody keeps is a trap.
            promise.fail(error)
            throw error
        }
        return promise.futureResult
    }

    /// Adds TLS in front of the channel's handlers; everything else is closed. For a listener's `prepareChannel`: it
    /// does not wait for the handshake.
    ///
    /// - Parameter isShared: whether the other end's address stands for many clients, so that only the total limit applies.
    public func secure(_ channel: any Channel, isShared: Bool = false) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let eventLoop = channel.eventLoop
            try addHandlers(to: channel, takesPlainHTTP: false, isShared: isShared) { _ in
                eventLoop.makeSucceededVoidFuture()
            } ended: { _ in
            }
        }
    }

    private func addHandlers(
        to channel: any Channel, takesPlainHTTP: Bool, isShared: Bool,
        configure: @escaping (Start) -> EventLoopFuture<Void>, ended: @escaping (TLSAcceptorError) -> Void
    ) throws {
        let gate = HandshakeHandler(configure: configure, ended: ended, logger: logger)
        let door = FirstByteHandler(
            behind: gate, halfOpen: halfOpen, isBounded: !isShared, deadline: limits.deadline,
            takesPlainHTTP: takesPlainHTTP,
            makeTLS: { [context] in NIOSSLServerHandler(context: try context()) })
        try channel.pipeline.syncOperations.addHandlers([door, gate], position: .last)
    }
}

/// The reason why a connection was not established.
public enum TLSAcceptorError: Error, Equatable, CustomStringConvertible {
    /// The client closed, or was closed, before its handshake was done.
    case ended

    public var description: String { "the connection ended before its handshake was done" }
}
