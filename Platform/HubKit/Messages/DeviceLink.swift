import MQTT
import NIOCore
import NIOPosix

/// A device's own side of an MQTT connection: signs in, publishes, and waits for each acknowledgement.
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
        public var description: String { "The connection to the hub was lost." }
    }

    private let channel: NIOAsyncChannel<Packet, Packet>
    private let address: Address

    private static let keepAliveSeconds: UInt16 = 60
    /// Publishes that may wait for their acknowledgement.
    private static let window = 64

    /// Connects, signs in, and runs `body` with the open link; closes it afterwards.
    public static func open<Value: Sendable>(
        _ address: Address, _ body: @Sendable (inout Conversation) async throws -> Value
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
                inbound: inbound.makeAsyncIterator(), outbound: outbound, device: address.device)
            try await outbound.write(
                .connect(
                    Connect(
                        clientID: "tandem-\(address.device)", isCleanSession: true, keepAliveSeconds: keepAliveSeconds,
                        userName: address.device, password: Array(address.token.utf8))))
            guard case .connack(_, let code)? = try await conversation.next() else { throw Lost() }
            guard code == .accepted else { throw Refused(code: code) }
            let value = try await body(&conversation)
            try? await outbound.write(.disconnect)
            return value
        }
    }

    /// An open link.
    public struct Conversation {
        private var inbound: NIOAsyncChannelInboundStream<Packet>.AsyncIterator
        private let outbound: NIOAsyncChannelOutboundWriter<Packet>
        private let device: String
        private var nextID: UInt16 = 1

        fileprivate init(
            inbound: NIOAsyncChannelInboundStream<Packet>.AsyncIterator,
            outbound: NIOAsyncChannelOutboundWriter<Packet>,
            device: String
        ) {
            self.inbound = inbound
            self.outbound = outbound
            self.device = device
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
                try await outbound.write(
                    .publish(
                        Publish(
                            topic: ByteBuffer(string: "tandem/\(device)/\(message.tail)"),
                            payload: ByteBuffer(string: message.payload), packetID: nextID, retain: false,
                            isDuplicate: false)))
                nextID = nextID == .max ? 1 : nextID + 1
                waiting += 1
            }
            for _ in 0..<waiting { try await acknowledgement() }
        }

        /// Keeps the connection alive while there is nothing to say.
        public mutating func ping() async throws {
            try await outbound.write(.pingreq)
            while true {
                guard let packet = try await inbound.next() else { throw Lost() }
                if case .pingresp = packet { return }
            }
        }

        private mutating func acknowledgement() async throws {
            while true {
                guard let packet = try await inbound.next() else { throw Lost() }
                if case .puback = packet { return }
            }
        }
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
