import MQTT
import NIOCore
import NIOPosix

/// A device's own side of an MQTT connection: signs in, publishes, waits for each acknowledgement, and hears what the hub
/// says to it.
///
/// For simulators and for `tandem sensor`, which speak to a hub as any sensor does.
public struct DeviceLink: Sendable {
    /// Where the hub listens and who the device is.
    public struct Address: Sendable {
        /// A name or an address.
        public var host: String
        /// Of the hub's MQTT listener.
        public var port: Int
        /// The device's id, its user name.
        public var device: String
        /// Its token, its password.
        public var token: String

        public init(host: String, port: Int, device: String, token: String) {
            self.host = host
            self.port = port
            self.device = device
            self.token = token
        }
    }

    /// Why the hub would not have the device.
    public struct Refused: Error, CustomStringConvertible {
        /// What CONNACK said.
        public var code: ConnectReturnCode
        public var description: String {
            switch code {
            case .badUserNameOrPassword: "The hub does not know this device id with this token."
            case .notAuthorized: "The hub does not let this device in."
            case .serverUnavailable: "The hub cannot answer now."
            default: "The hub refused the connection (code \(code.rawValue))."
            }
        }
    }

    /// The connection ended before it was asked to.
    public struct Lost: Error, CustomStringConvertible {
        public init() {}

        public var description: String { "The connection to the hub was lost." }
    }

    private let channel: NIOAsyncChannel<Packet, Packet>
    private let address: Address

    /// Of a device that has nothing urgent to say, MQTT 3.1.1, section 3.1.2.10.
    public static let keepAliveSeconds: UInt16 = 60
    /// Publishes that may wait for their acknowledgement.
    private static let window = 64

    /// Connects, signs in, and runs `body` with the open link; closes it afterwards.
    public static func open<Value: Sendable>(
        _ address: Address, keepAliveSeconds: UInt16 = DeviceLink.keepAliveSeconds,
        _ body: @Sendable (inout Conversation) async throws -> Value
    ) async throws -> Value {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.seconds(10))
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        ByteToMessageHandler(PacketReader()), MessageToByteHandler(PacketWriter()))
                    return try NIOAsyncChannel<Packet, Packet>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var conversation = Conversation(
                inbound: inbound.makeAsyncIterator(),
                speaker: Speaker(outbound: outbound, channel: channel.channel, device: address.device))
            try await outbound.write(
                .connect(
                    Connect(
                        clientID: "tandem-\(address.device)", isCleanSession: true, keepAliveSeconds: keepAliveSeconds,
                        userName: address.device, password: Array(address.token.utf8))))
            guard case .connack(let connack)? = try await conversation.next() else { throw Lost() }
            guard connack.reason == .success else { throw Refused(code: connack.reason.connectReturnCode) }
            let value = try await body(&conversation)
            try? await outbound.write(.disconnect())
            return value
        }
    }

    /// An open link.
    public struct Conversation {
        private var inbound: NIOAsyncChannelInboundStream<Packet>.AsyncIterator
        /// For what is said while something else is waited for.
        public let speaker: Speaker
        private var nextID: UInt16 = 1

        fileprivate init(inbound: NIOAsyncChannelInboundStream<Packet>.AsyncIterator, speaker: Speaker) {
            self.inbound = inbound
            self.speaker = speaker
        }

        /// The next packet; nil when the hub has closed.
        mutating func next() async throws -> Packet? { try await inbound.next() }

        /// Publishes each payload below `tandem/<device>/` at QoS 1 and returns when all are durably stored.
        public mutating func publish(_ messages: [(tail: String, payload: String)]) async throws {
            var waiting = 0
            for message in messages {
                if waiting == DeviceLink.window {
                    try await acknowledgement()
                    waiting -= 1
                }
                try await speaker.outbound.write(
                    .publish(
                        Publish(
                            topic: speaker.topic(message.tail),
                            payload: ByteBuffer(string: message.payload), packetID: nextID, retain: false,
                            isDuplicate: false)))
                nextID = nextID == .max ? 1 : nextID + 1
                waiting += 1
            }
            for _ in 0..<waiting { try await acknowledgement() }
        }

        /// Keeps the connection alive while there is nothing to say.
        public mutating func ping() async throws {
            try await speaker.ping()
            while true {
                guard let packet = try await inbound.next() else { throw Lost() }
                if case .pingresp = packet { return }
            }
        }

        /// Asks for what is said below `tandem/<device>/`, at QoS 0, and returns when that holds.
        public mutating func subscribe(to tail: String) async throws {
            let filter = try TopicFilter("tandem/\(speaker.device)/\(tail)")
            try await speaker.outbound.write(
                .subscribe(
                    Subscribe(
                        packetID: nextID, subscriptions: [.init(filter: filter, qualityOfService: .atMostOnce)])))
            nextID = nextID == .max ? 1 : nextID + 1
            while true {
                guard let packet = try await inbound.next() else { throw Lost() }
                if case .suback = packet { return }
            }
        }

        /// The next message of what was asked for; nil when the connection has ended.
        public mutating func message() async throws -> [UInt8]? {
            while let packet = try await inbound.next() {
                if case .publish(let publish) = packet { return Array(buffer: publish.payload) }
            }
            return nil
        }

        private mutating func acknowledgement() async throws {
            while true {
                guard let packet = try await inbound.next() else { throw Lost() }
                if case .puback = packet { return }
            }
        }
    }
}

extension DeviceLink {
    /// What a device says without waiting for an answer, from any task.
    public struct Speaker: Sendable {
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<Packet>
        fileprivate let channel: any Channel
        fileprivate let device: String

        /// Publishes below `tandem/<device>/` at QoS 0.
        public func say(_ tail: String, _ payload: [UInt8]) async throws {
            try await outbound.write(.publish(Publish(topic: topic(tail), payload: ByteBuffer(bytes: payload))))
        }

        /// A sign of life.
        public func ping() async throws { try await outbound.write(.pingreq) }

        /// Breaks the connection without a word, as a radio out of reach does.
        public func hangUp() async { try? await channel.close() }

        fileprivate func topic(_ tail: String) -> ByteBuffer { ByteBuffer(string: "tandem/\(device)/\(tail)") }
    }
}

/// Bytes to packets, on a client's side.
private struct PacketReader: ByteToMessageDecoder {
    typealias InboundOut = Packet

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        switch try Packet.decode(from: &buffer, maximumLength: Limits().packetBytes) {
        case .packet(let packet):
            context.fireChannelRead(wrapInboundOut(packet))
            return .continue
        case .incomplete, .unsupportedProtocolLevel: return .needMoreData
        }
    }
}

private struct PacketWriter: MessageToByteEncoder {
    typealias OutboundIn = Packet

    func encode(data: Packet, out: inout ByteBuffer) throws { data.write(into: &out) }
}
