import Devices
import HubKit
import Logging
import MQTT
import NIOCore
import NIOSSL

/// The hub's connection to the broker of the house, on the event loop of the hub's own listener, so that what it brings goes into
/// the same batches: a message is acknowledged once it is stored.
final class BrokerConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What the connection tells whoever opened it.
    enum Event: Sendable {
        case connected(isSessionPresent: Bool)
        case refused(ReasonCode)
        case untrusted
        /// A subscription was denied.
        case denied
        case ended(String)
    }

    private let settings: BrokerSettings
    private let delegate: HubBrokerDelegate
    private let household: String
    private let clientID: String
    private let will: Will
    private let isClean: Bool
    private let tell: @Sendable (Event) -> Void
    private let version: ProtocolVersion
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private var nextPacketID: UInt16 = 0
    private var subscribed: Set<String> = []
    private var isConnected = false
    private var isEnded = false
    private var isPaused = false
    /// The messages that wait until the broker has acknowledged others.
    private var waiting = CircularBuffer<(topic: String, payload: [UInt8], retain: Bool)>()
    /// The packet ids of messages that it has not acknowledged yet, and how many may be.
    private var inFlight: Set<UInt16> = []
    private var window = 64
    private var deadline: Scheduled<Void>?
    private var keepAlive: RepeatedTask?
    private var isAnswered = true

    /// The keep-alive that the broker is told; a ping is sent in half of it.
    private static let keepAliveSeconds: UInt16 = 60
    /// The longest packet that is taken.
    private static let longest = 1 << 20
    /// The longest that is read of a broker of MQTT 3.1.1, which cannot be told what is taken.
    private static let longestRead = 16 << 20
    /// The time in which a broker has to let the hub in.
    private static let patience = TimeAmount.seconds(10)
    /// The time in which a broker closes a connection that was said good-bye to.
    private static let farewell = TimeAmount.seconds(1)
    /// The most messages that wait: what the hub announces, twice.
    private static let mostWaiting = 20_000
    /// The filters of one SUBSCRIBE.
    private static let filtersTogether = 64

    /// Creates the handler.
    ///
    /// - Parameters:
    ///   - settings: where it is and who the hub is there.
    ///   - delegate: what takes messages into the batch, on the channel's event loop.
    ///   - household: whose messages these are.
    ///   - will: what the broker says when the hub is gone without a word.
    ///   - isClean: whether a session that is there ends first.
    ///   - tell: called with what becomes of the connection.
    init(
        _ settings: BrokerSettings, delegate: HubBrokerDelegate, household: String, will: Will, isClean: Bool,
        tell: @escaping @Sendable (Event) -> Void
    ) {
        self.settings = settings
        self.delegate = delegate
        self.household = household
        self.will = will
        self.isClean = isClean
        self.tell = tell
        clientID = "tandem-\(household)"
        version = settings.isVersion5 ? .v5 : .v311
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        var properties = ConnectProperties()
        // What was not acknowledged is sent again, also after a night without the hub.
        properties.sessionExpirySeconds = version.hasProperties ? 86_400 : .max
        properties.receiveMaximum = 256
        if version.hasProperties { properties.maximumPacketBytes = UInt32(Self.longest) }
        send(
            .connect(
                Connect(
                    clientID: clientID, isCleanSession: isClean, keepAliveSeconds: Self.keepAliveSeconds, will: will,
                    userName: settings.user, password: settings.password.map { Array($0.utf8) }, version: version,
                    properties: properties)))
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: Self.patience) {
            bound.value.end("nothing answers as a broker does")
            bound.value.context?.close(promise: nil)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end("the broker closed the connection")
        self.context = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case .handshakeFailed? = error as? NIOSSLError, "\(error)".contains("CERTIFICATE") {
            if !isEnded { tell(.untrusted) }
            isEnded = true
        }
        end("\(error)")
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do throws(ProtocolViolation) {
            while true {
                guard
                    case .packet(let packet) = try Packet.decode(
                        from: &received, maximumLength: version.hasProperties ? Self.longest : Self.longestRead,
                        version: version)
                else { break }
                handle(packet)
            }
            received.discardReadBytes()
        } catch {
            end("the broker sent what is no MQTT: \(error)")
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        // Not read on while the batch is full.
        let channel = context.channel
        let hasRoom = delegate.hasRoom { [weak self] in
            self?.isPaused = false
            self?.isAnswered = true
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
        if !hasRoom {
            isPaused = true
            channel.setOption(.autoRead, value: false).whenFailure { _ in }
        }
        context.fireChannelReadComplete()
    }

    // MARK: What is done

    /// Publishes a message, which the broker has to acknowledge: as many at once as it takes [MQTT-3.3.4-9].
    func publish(topic: String, payload: [UInt8], retain: Bool) {
        guard isConnected, waiting.count < Self.mostWaiting else { return }
        waiting.append((topic, payload, retain))
        sendWaiting()
        context?.flush()
    }

    private func sendWaiting() {
        while inFlight.count < window, let message = waiting.popFirst() {
            let id = packetID()
            inFlight.insert(id)
            send(
                .publish(
                    Publish(
                        topic: ByteBuffer(string: message.topic), payload: ByteBuffer(bytes: message.payload),
                        packetID: id, retain: message.retain)))
        }
    }

    /// Subscribes to what is wanted and granted, and unsubscribes from what is wanted no longer.
    func subscribe(to wanted: Set<String>) {
        guard isConnected else { return }
        let old = subscribed.subtracting(wanted).sorted().compactMap { try? TopicFilter($0) }
        subscribed.formIntersection(wanted)
        for part in Self.parts(old) { send(.unsubscribe(Unsubscribe(packetID: packetID(), filters: part))) }
        subscribe(adding: wanted)
    }

    /// Subscribes to what is wanted besides, as far as it is granted.
    func subscribe(adding wanted: Set<String>) {
        guard isConnected else { return }
        let new = wanted.subtracting(subscribed).filter(settings.allows)
        subscribed.formUnion(new)
        // Its own announcements are to be heard of too: those of an earlier run may be of what is there no longer.
        let options = SubscriptionOptions(qualityOfService: .atLeastOnce)
        for part in Self.parts(new.sorted().compactMap { try? TopicFilter($0) }) {
            send(
                .subscribe(
                    Subscribe(packetID: packetID(), subscriptions: part.map { .init(filter: $0, options: options) })))
        }
        context?.flush()
    }

    private static func parts(_ filters: [TopicFilter]) -> [[TopicFilter]] {
        stride(from: 0, to: filters.count, by: filtersTogether).map {
            Array(filters[$0..<min($0 + filtersTogether, filters.count)])
        }
    }

    /// Says that the hub goes, and closes.
    ///
    /// - Parameter isLeaving: whether it does not come back: then nothing is kept for it.
    func close(isLeaving: Bool) {
        guard let context else { return }
        deadline?.cancel()
        keepAlive?.cancel()
        if isConnected {
            if isLeaving { subscribe(to: []) }
            // At once, whatever else waits.
            window = .max
            publish(topic: "\(will.topic)", payload: isLeaving ? [] : will.payload, retain: true)
            let isForgotten = isLeaving && version.hasProperties
            send(.disconnect(Disconnect(sessionExpirySeconds: isForgotten ? 0 : nil)))
        }
        isEnded = true
        context.flush()
        guard isConnected else { return context.close(promise: nil) }
        // The broker closes [MQTT-3.14.4-1]. If the hub did first, what it had said last would be lost with what it has not read.
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.farewell) { bound.value.context?.close(promise: nil) }
    }

    private func packetID() -> UInt16 {
        repeat { nextPacketID = nextPacketID == .max ? 1 : nextPacketID + 1 } while inFlight.contains(nextPacketID)
        return nextPacketID
    }

    private func send(_ packet: Packet) {
        guard let context else { return }
        var bytes = context.channel.allocator.buffer(capacity: 256)
        packet.write(into: &bytes, version: version)
        context.write(Self.wrapOutboundOut(bytes), promise: nil)
        if case .connect = packet { context.flush() }
    }

    private func end(_ reason: String) {
        keepAlive?.cancel()
        deadline?.cancel()
        guard !isEnded else { return }
        isEnded = true
        isConnected = false
        tell(.ended(reason))
    }

    // MARK: What comes

    private func handle(_ packet: Packet) {
        // What comes after the good-bye comes again in the next session.
        guard !isEnded else { return }
        switch packet {
        case .connack(let answer):
            guard !isConnected else { return }
            deadline?.cancel()
            guard answer.reason == .success else {
                isEnded = true
                tell(.refused(answer.reason))
                context?.close(promise: nil)
                return
            }
            isConnected = true
            window = min(window, Int(answer.properties.receiveMaximum ?? .max))
            keepAliveTask(seconds: answer.properties.serverKeepAliveSeconds ?? Self.keepAliveSeconds)
            tell(.connected(isSessionPresent: answer.isSessionPresent))
        case .publish(let publish): take(publish)
        case .puback(let acknowledgement):
            inFlight.remove(acknowledgement.packetID)
            sendWaiting()
        case .suback(_, let reasons, _):
            if reasons.contains(where: { $0.rawValue >= 0x80 }) { tell(.denied) }
        case .pubrel(let release): send(.pubcomp(packetID: release.packetID))
        case .pingresp: isAnswered = true
        case .disconnect(let farewell):
            end("the broker ended the connection: \(farewell.reason)")
            context?.close(promise: nil)
        default: break
        }
    }

    private func take(_ publish: Publish) {
        let topic = String(buffer: publish.topic)
        let isTaken = publish.payload.readableBytes <= Self.longest && settings.allows(topic)
        let message = ForeignMessage(
            topic: topic, payload: publish.payload, isRetained: publish.retain,
            sender: .broker, household: household)
        // A session that is older than the settings may bring more than is granted now.
        if isTaken { delegate.takeForeign(message) }
        guard let packetID = publish.packetID else { return }
        let answer: Packet =
            publish.qualityOfService == .exactlyOnce ? .pubrec(packetID: packetID) : .puback(packetID: packetID)
        delegate.commit(
            for: StoredWaiter { [weak self] isStored in
                guard let self, let context = self.context else { return }
                guard isStored else {
                    // It sends again what it was not told to be stored.
                    self.end("what came could not be stored")
                    return context.close(promise: nil)
                }
                self.send(answer)
                context.flush()
            })
    }

    private func keepAliveTask(seconds: UInt16) {
        guard seconds > 0, let context else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let interval = TimeAmount.seconds(max(Int64(seconds) / 2, 1))
        keepAlive = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            let connection = bound.value
            guard connection.isAnswered || connection.isPaused else {
                connection.end("the broker does not answer")
                connection.context?.close(promise: nil)
                return
            }
            connection.isAnswered = false
            connection.send(.pingreq)
            connection.context?.flush()
        }
    }
}

/// A waiter that is told whether the batch with its message is stored.
private final class StoredWaiter: Acknowledger {
    private let done: (Bool) -> Void

    init(_ done: @escaping (Bool) -> Void) { self.done = done }

    func sealed() -> ByteBuffer { ByteBuffer() }
    func committed(_ acknowledgements: ByteBuffer) { done(true) }
    func failed() { done(false) }
}
