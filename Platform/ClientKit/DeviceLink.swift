import MQTT
import NIOCore
import NIOPosix

/// A device's side of an MQTT connection: it signs in, publishes, waits for each acknowledgement, and receives messages
/// of the hub.
///
/// It is for simulators and `tandem sensor`, which connect to a hub as any sensor does.
public struct DeviceLink: Sendable {
    /// The address of the hub, with the device's id and token.
    public struct Address: Sendable {
        /// The host name or address.
        public var host: String
        /// The port of the hub's MQTT listener.
        public var port: Int
        /// The device's id, which is its user name.
        public var device: String
        /// The device's token, which is its password.
        public var token: String

        /// Creates an address.
        public init(host: String, port: Int, device: String, token: String) {
            self.host = host
            self.port = port
            self.device = device
            self.token = token
        }
    }

    /// An error if the hub refuses the device.
    public struct Refused: Error, CustomStringConvertible {
        /// The return code of the CONNACK.
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

    /// An error if the connection ended unexpectedly.
    public struct Lost: Error, CustomStringConvertible {
        /// Creates the error.
        public init() {}

        public var description: String { "The connection to the hub was lost." }
    }

    private let channel: NIOAsyncChannel<Packet, Packet>
    private let address: Address

    /// The keep-alive in seconds (MQTT 3.1.1, section 3.1.2.10), for a device that has nothing urgent to say.
    public static let keepAliveSeconds: UInt16 = 60
    /// The number of messages that may wait for their acknowledgement.
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
        /// The sender, for messages while the conversation waits for something else.
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

        /// Sends a PINGREQ and waits for the answer, to keep the connection alive.
        public mutating func ping() async throws {
            try await speaker.ping()
            while true {
                guard let packet = try await inbound.next() else { throw Lost() }
                if case .pingresp = packet { return }
            }
        }

        /// Subscribes to a topic below `tandem/<device>/` at QoS 0, and returns when the subscription is active.
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

        /// The next message of a subscription; nil when the connection has ended.
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
    /// The sender of messages without acknowledgement, usable from any task.
    public struct Speaker: Sendable {
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<Packet>
        fileprivate let channel: any Channel
        fileprivate let device: String

        /// Publishes below `tandem/<device>/` at QoS 0.
        public func say(_ tail: String, _ payload: [UInt8]) async throws {
            try await outbound.write(.publish(Publish(topic: topic(tail), payload: ByteBuffer(bytes: payload))))
        }

        /// Sends a PINGREQ without waiting for the answer.
        public func ping() async throws { try await outbound.write(.pingreq) }

        /// Closes the connection without DISCONNECT, as a radio out of reach does.
        public func hangUp() async { try? await channel.close() }

        fileprivate func topic(_ tail: String) -> ByteBuffer { ByteBuffer(string: "tandem/\(device)/\(tail)") }
    }
}

/// A decoder of packets, on a client's side.
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
