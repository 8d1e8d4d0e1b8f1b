import Logging
import NIOCore
import NIOSSL

/// Takes new connections of one listener through the TLS handshake, and bounds what those cost that never get through.
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
    /// What connections may cost before they are through.
    public struct Limits: Sendable {
        /// Connections in their handshake at once. Where more come, the one that has waited longest of the address that
        /// holds the most is closed.
        public var halfOpen = 512
        /// Of them, those of one address, where the one that has waited longest is closed for a new one.
        public var halfOpenPerPeer = 64
        /// From the connection to the end of its handshake, or to the first line's begin where that is plain HTTP.
        public var deadline = TimeAmount.seconds(10)

        public init() {}
    }

    /// What a client turned out to speak.
    public enum Start: Sendable, Equatable {
        /// The handshake is done. What was agreed on by ALPN; nil where the client asked for nothing that was offered.
        case tls(applicationProtocol: String?)
        /// The client speaks HTTP without TLS, and nothing of its request is lost.
        case plainHTTP
    }

    private let halfOpen: OpenConnections
    private let limits: Limits
    private let logger: Logger
    private let context: @Sendable () throws -> NIOSSLContext

    /// - Parameters:
    ///   - context: asked for each connection, so that a new certificate is shown from the next one on.
    public init(limits: Limits = Limits(), logger: Logger, context: @escaping @Sendable () throws -> NIOSSLContext) {
        self.limits = limits
        self.logger = logger
        self.context = context
        halfOpen = OpenConnections(maximum: limits.halfOpen, maximumPerPeer: limits.halfOpenPerPeer)
    }

    /// How many connections are in their handshake at the moment.
    public var halfOpenCount: Int { halfOpen.count }

    /// Looks at the first bytes of a new connection: TLS is taken through its handshake, HTTP without it is recognised,
    /// and anything else is closed. Call it on the channel's event loop, before the channel is active.
    ///
    /// - Parameter configure: adds the handlers for what the client speaks, on the event loop; bytes that come
    ///   meanwhile wait for them.
    /// - Returns: what `configure` gave, once it has; fails where the client did not get that far, and the channel is
    ///   closed then. It comes after the child channel's initialiser, which must not wait for it.
    public func start<Value: Sendable>(
        on channel: any Channel, configure: @escaping @Sendable (Start) -> EventLoopFuture<Value>
    ) throws -> EventLoopFuture<Value> {
        let promise = channel.eventLoop.makePromise(of: Value.self)
        do {
            try addHandlers(to: channel, takesPlainHTTP: true) { start in
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

    /// Puts TLS alone in front of what is on the channel or will be: everything else is closed. For a listener's
    /// `prepareChannel`: it does not wait for the handshake.
    public func secure(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let eventLoop = channel.eventLoop
            try addHandlers(to: channel, takesPlainHTTP: false) { _ in
                eventLoop.makeSucceededVoidFuture()
            } ended: { _ in
            }
        }
    }

    private func addHandlers(
        to channel: any Channel, takesPlainHTTP: Bool,
        configure: @escaping (Start) -> EventLoopFuture<Void>, ended: @escaping (TLSAcceptorError) -> Void
    ) throws {
        let gate = HandshakeHandler(configure: configure, ended: ended, logger: logger)
        let door = FirstByteHandler(
            behind: gate, halfOpen: halfOpen, deadline: limits.deadline, takesPlainHTTP: takesPlainHTTP,
            makeTLS: { [context] in NIOSSLServerHandler(context: try context()) })
        try channel.pipeline.syncOperations.addHandlers([door, gate], position: .last)
    }
}

/// Why a connection did not become one.
public enum TLSAcceptorError: Error, Equatable, CustomStringConvertible {
    /// The client went away, or was sent away, before its handshake was done.
    case ended

    public var description: String { "the connection ended before its handshake was done" }
}
