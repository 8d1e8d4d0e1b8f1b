import Logging
import MQTT
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The hub's MQTT server. Everything happens on one event loop, which is the delegate's too.
///
/// ```swift
/// let listener = MQTTListener(configuration: .init(port: 1883), loop: loop, delegate: delegate, logger: logger)
/// try await listener.start()  // Throws `ListenerError` where the port is taken.
/// try await listener.run()  // Until graceful shutdown.
/// ```
///
/// It supports MQTT 3.1.1 and 5.0 with QoS 0, 1 and 2, and 3.1 if `Limits.oldestVersion` allows it. A CONNECT of
/// another protocol level is refused with return code 1, or reason code 0x84 if it is a later one.
public final class MQTTListener<Delegate: BrokerDelegate & SendableMetatype>: Service {
    private struct Running {
        var channels: [any Channel]
        var server: NIOLoopBound<BrokerServer<Delegate>>
        var timer: RepeatedTask
    }

    private let configuration: ListenerConfiguration
    private let loop: any EventLoop
    private let delegate: NIOLoopBound<Delegate>
    private let logger: Logger
    private let running = Mutex<Running?>(nil)

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - configuration: the endpoints and limits.
    ///   - loop: the event loop of all connections; a single one of a `MultiThreadedEventLoopGroup`.
    ///   - delegate: the delegate, bound to the same loop.
    ///   - logger: the log.
    public init(
        configuration: ListenerConfiguration, loop: any EventLoop, delegate: NIOLoopBound<Delegate>, logger: Logger
    ) {
        self.configuration = configuration
        self.loop = loop
        self.delegate = delegate
        self.logger = logger
    }

    /// The port of the first endpoint, once started.
    public var port: Int? { running.withLock { $0?.channels.first?.localAddress?.port } }

    /// Restores what was stored, and listens. Does nothing if it is listening already.
    ///
    /// - Throws: `ListenerError` if it cannot listen; the delegate's error if it cannot restore.
    public func start() async throws {
        guard running.withLock({ $0 == nil }) else { return }
        let server = try await makeServer()
        // Before the first client can come.
        try await loop.submit { server.value.delegate.attach(server.value) }.get()
        var channels: [any Channel] = []
        for endpoint in configuration.endpoints {
            do {
                channels.append(try await bind(endpoint, server))
            } catch {
                for channel in channels { try? await channel.close().get() }
                throw error
            }
        }
        let timer = loop.scheduleRepeatedTask(initialDelay: .milliseconds(250), delay: .milliseconds(250)) { _ in
            server.value.tick()
        }
        let listening = channels
        running.withLock { $0 = Running(channels: listening, server: server, timer: timer) }
        for (endpoint, channel) in zip(configuration.endpoints, channels) {
            let words = endpoint.prepareChannel == nil ? "MQTT" : "MQTT with TLS"
            logger.info("\(words) listens on \(endpoint.host) port \(channel.localAddress?.port ?? endpoint.port)")
        }
    }

    /// Starts, if that has not been done, and serves until graceful shutdown or cancellation. Then it accepts no more
    /// clients, commits and acknowledges what was received, and closes every connection.
    public func run() async throws {
        try await start()
        // Cancellation is answered like a graceful shutdown.
        try? await gracefulShutdown()
        await stop()
    }

    /// Serves a client whose network connection another part of the process has accepted, such as by WebSocket, with
    /// the same sessions, limits and sign-in as at an endpoint. Anonymous clients are not allowed, unless the delegate
    /// allows everyone.
    ///
    /// Call it on the channel's event loop, which may be another than the listener's. The channel's other handlers
    /// exchange the bytes of MQTT as `ByteBuffer`s.
    ///
    /// - Parameters:
    ///   - channel: the network connection.
    ///   - address: the other end's address as text, for the log and the limits of one address.
    ///   - isShared: whether that address stands for many clients, so that only the total limits apply.
    ///   - onAdmitted: called on the channel's event loop once the client was accepted.
    /// - Throws: `ListenerError.notListening` before the start and after the stop.
    public func serve(
        _ channel: any Channel, address: String, isShared: Bool, onAdmitted: @escaping @Sendable () -> Void
    ) throws {
        guard let server = running.withLock({ $0?.server }) else { throw ListenerError.notListening }
        try channel.pipeline.syncOperations.addHandler(
            ForwardingHandler(to: server, address: address, isShared: isShared, onAdmitted: onAdmitted))
    }

    private func stop() async {
        guard let running = running.withLock({ $0.take() }) else { return }
        for channel in running.channels { try? await channel.close().get() }
        try? await loop.flatSubmit { running.server.value.shutDown() }.get()
        running.timer.cancel()
        logger.info("MQTT has stopped")
    }

    private func makeServer() async throws -> NIOLoopBound<BrokerServer<Delegate>> {
        let (loop, delegate, limits, logger) = (self.loop, self.delegate, configuration.limits, self.logger)
        return try await loop.submit {
            NIOLoopBound(
                try BrokerServer(loop: loop, delegate: delegate.value, limits: limits, logger: logger), eventLoop: loop)
        }.get()
    }

    private func bind(
        _ endpoint: ListenerConfiguration.Endpoint, _ server: NIOLoopBound<BrokerServer<Delegate>>
    ) async throws -> any Channel {
        let (host, port, limits) = (endpoint.host, endpoint.port, configuration.limits)
        let isShared = configuration.isShared
        do {
            return try await ServerBootstrap(group: loop)
                // A crowd that comes back at once waits here; the system has its own limit, net.core.somaxconn.
                .serverChannelOption(.backlog, value: 4_096)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Accepted connections have it too. Bounded, since what came before a client went is read at once.
                .serverChannelOption(.socketOption(.so_rcvbuf), value: limits.inputBytes)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // Finds who has vanished with a keep-alive of zero.
                .childChannelOption(.socketOption(.so_keepalive), value: 1)
                // Nobody is read from twice before everybody was looked at.
                .childChannelOption(.maxMessagesPerRead, value: 1)
                // Every connection keeps a read buffer: start small, it grows with what is read.
                .childChannelOption(
                    .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 65_536)
                )
                .childChannelOption(
                    .writeBufferWaterMark, value: .init(low: limits.outputBytes / 2, high: limits.outputBytes)
                )
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPaceHandler(server.value))
                    }
                }
                .childChannelInitializer { channel in
                    let prepared = endpoint.prepareChannel?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
                    return prepared.flatMapThrowing {
                        let isShared = channel.remoteAddress.map(isShared) ?? false
                        let connection = server.value.makeConnection(of: endpoint, isShared: isShared)
                        try channel.pipeline.syncOperations.addHandler(SocketHandler(connection))
                    }
                }
                .bind(host: host, port: port).get()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ListenerError.portInUse(host: host, port: port)
        } catch {
            throw ListenerError.cannotListen(host: host, port: port, reason: "\(error)")
        }
    }
}
