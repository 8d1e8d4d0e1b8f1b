import Wire

/// A frame of MiBeacon, the format of Xiaomi's devices, versions 2 to 5 (Mijia BLE MiBeacon protocol v5; the objects of a
/// frame are those of the Mijia BLE object definition).
public struct MiBeaconFrame: Equatable, Sendable {
    /// The UUID of the service.
    public static let service: UInt16 = 0xFE95

    /// An object of a frame.
    public struct Object: Equatable, Sendable {
        /// The object's identifier.
        public let id: UInt16
        /// The value.
        public let value: [UInt8]

        /// Creates an object.
        public init(id: UInt16, value: [UInt8]) {
            self.id = id
            self.value = value
        }
    }

    /// The version, 2 to 5.
    public let version: UInt8
    /// The number of the product, which ``SensorModel`` knows some of.
    public let product: UInt16
    /// The number of the frame, by which a repetition is known.
    public let frameCounter: UInt8
    /// The device's own address; nil where the frame has none.
    public let address: BluetoothAddress?
    /// The device's capabilities; nil where the frame has none.
    public let capability: UInt8?
    /// Whether the device belongs to an account.
    public let isBound: Bool
    /// The protection of the objects.
    public let protection: Protection
    /// The whole counter of an encrypted frame, for ``ReplayGuard``: the frame's number is its lowest byte. Nil in a frame
    /// that is not encrypted, or as before version 4.
    public let counter: UInt32?
    /// The objects, in their order; none where they could not be opened.
    public let objects: [Object]
    /// The bytes at the end that were put aside, because an object there is cut off.
    public let putAside: Int

    /// The bits of the frame control (protocol, “Frame Control field definition”).
    private enum Control {
        static let isEncrypted: UInt16 = 1 << 3
        static let hasAddress: UInt16 = 1 << 4
        static let hasCapability: UInt16 = 1 << 5
        static let hasObject: UInt16 = 1 << 6
        static let isMesh: UInt16 = 1 << 7
        static let isBound: UInt16 = 1 << 8
    }

    /// Decodes the service data of ``service``.
    ///
    /// - Parameters:
    ///   - data: the bytes after the UUID.
    ///   - sender: the sender, which is part of the nonce.
    ///   - cipher: AES with the device's key; nil where there is none.
    public static func decoded<Cipher: BlockCipher>(
        _ data: [UInt8], from sender: BluetoothAddress, cipher: Cipher?
    ) throws(AdvertisementError) -> MiBeaconFrame {
        var reader = LittleEndianReader(data[...])
        let control = reader.uint16()
        let product = reader.uint16()
        let frameCounter = reader.uint8()
        guard !reader.isCutOff else { throw .truncated }
        let version = UInt8(control >> 12)
        guard (2...5).contains(version) else { throw .unknownVersion(version) }
        guard control & Control.isMesh == 0 else { throw .mesh }
        var address: BluetoothAddress?
        if control & Control.hasAddress != 0 {
            address = BluetoothAddress(reversed: reader.take(6)[...])
            guard let address else { throw .truncated }
            guard address == sender else { throw .foreignAddress }
        }
        var capability: UInt8?
        if control & Control.hasCapability != 0 {
            let byte = reader.uint8()
            if byte & 0x20 != 0 { _ = reader.take(2) }
            capability = byte
        }
        guard !reader.isCutOff else { throw .truncated }
        var body = reader.take(reader.remaining)
        var protection = Protection.plain
        var counter: UInt32?
        if control & Control.hasObject == 0 {
            body = []
        } else if control & Control.isEncrypted != 0 {
            (protection, counter, body) = try open(
                body, version: version, head: Array(data[2..<5]), sender, cipher: cipher)
        }
        let (objects, putAside) = objects(of: body)
        return MiBeaconFrame(
            version: version, product: product, frameCounter: frameCounter, address: address, capability: capability,
            isBound: control & Control.isBound != 0, protection: protection, counter: counter, objects: objects,
            putAside: putAside)
    }

    /// Opens the objects of an encrypted frame: they are followed by three bytes that continue the frame's number, and a
    /// tag of four. Before version 4 there was no tag that a receiver could check, and another nonce; such frames are not
    /// opened.
    private static func open<Cipher: BlockCipher>(
        _ body: [UInt8], version: UInt8, head: [UInt8], _ sender: BluetoothAddress, cipher: Cipher?
    ) throws(AdvertisementError) -> (Protection, UInt32?, [UInt8]) {
        guard version >= 4 else { return (.legacy, nil, []) }
        guard body.count > 7 else { throw .truncated }
        let highBytes = body.suffix(7).prefix(3)
        let counter = UInt32(truncatingIfNeeded: littleEndian(head.suffix(1) + highBytes))
        guard let cipher else { return (.needsKey, counter, []) }
        do throws(CCMError) {
            let objects = try AESCCM.opened(
                Array(body.dropLast(7)), tag: Array(body.suffix(4)),
                nonce: sender.reversedBytes + head + highBytes, associatedData: [0x11], with: cipher)
            return (.opened, counter, objects)
        } catch {
            return (.wrongKey, counter, [])
        }
    }

    /// Takes objects apart: an identifier, a length, the value.
    private static func objects(of body: [UInt8]) -> ([Object], putAside: Int) {
        var objects: [Object] = []
        var rest = body[...]
        while rest.count >= 3 {
            let length = Int(rest[rest.startIndex + 2])
            guard rest.count >= 3 + length else { break }
            objects.append(
                Object(
                    id: UInt16(littleEndian(rest.prefix(2))), value: Array(rest.dropFirst(3).prefix(length))))
            rest = rest.dropFirst(3 + length)
        }
        return (objects, rest.count)
    }
}
