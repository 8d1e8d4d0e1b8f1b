import Wire

/// An advertisement in the format of BTHome, version 2 or 1 (bthome.io/format, bthome.io/v1).
public struct BTHomePacket: Equatable, Sendable {
    /// The UUID of version 2.
    public static let service: UInt16 = 0xFCD2
    /// The UUID of version 1 without encryption.
    public static let firstService: UInt16 = 0x181C
    /// The UUID of version 1 with encryption.
    public static let firstEncryptedService: UInt16 = 0x181E

    /// The version, 1 or 2.
    public let version: UInt8
    /// Whether the device sends only when something happened, so that its silence means nothing.
    public let isTriggerBased: Bool
    /// The protection of the objects.
    public let protection: Protection
    /// The counter of an encrypted packet, for ``ReplayGuard``; nil in one that is not.
    public let counter: UInt32?
    /// The objects, in their order; none where they could not be opened.
    public let objects: [BTHomeObject]
    /// The bytes at the end that were put aside, because an object there is unknown or cut off.
    public let putAside: Int

    /// The number of the packet, by which a repetition is known; nil where there is none.
    public var packetID: UInt8? {
        for object in objects where object.property == .packetID {
            if let thousandths = object.thousandths { return UInt8(clamping: thousandths / 1_000) }
        }
        return nil
    }

    /// The bytes of the counter and the tag, at the end of an encrypted packet.
    private static let sealLength = 8

    /// Decodes the service data of ``service``.
    ///
    /// - Parameters:
    ///   - data: the bytes after the UUID.
    ///   - address: the sender, which is part of the nonce; one in the data counts more.
    ///   - cipher: AES with the device's key; nil where there is none.
    public static func decoded<Cipher: BlockCipher>(
        _ data: [UInt8], from address: BluetoothAddress, cipher: Cipher?
    ) throws(AdvertisementError) -> BTHomePacket {
        guard let information = data.first else { throw .truncated }
        guard information >> 5 == 2 else { throw .unknownVersion(information >> 5) }
        var body = data.dropFirst()
        var address = address
        // Bit 1 was once said to announce the address, and is reserved today.
        if information & 0x02 != 0 {
            guard let own = BluetoothAddress(reversed: body.prefix(6)) else { throw .truncated }
            address = own
            body = body.dropFirst(6)
        }
        let isTriggerBased = information & 0x04 != 0
        guard information & 0x01 != 0 else {
            return BTHomePacket(2, isTriggerBased, cipher == nil ? .plain : .downgraded, counter: nil, body)
        }
        let opened = try open(
            body, nonce: address.bytes + [0xD2, 0xFC, information], associatedData: [], cipher: cipher)
        return BTHomePacket(2, isTriggerBased, opened.protection, counter: opened.counter, opened.objects[...])
    }

    /// Decodes the service data of ``firstService`` or ``firstEncryptedService``.
    ///
    /// - Parameters:
    ///   - data: the bytes after the UUID.
    ///   - isEncrypted: whether the UUID was that of encrypted data.
    ///   - address: the sender, which is part of the nonce.
    ///   - cipher: AES with the device's key; nil where there is none.
    public static func decodedFirst<Cipher: BlockCipher>(
        _ data: [UInt8], isEncrypted: Bool, from address: BluetoothAddress, cipher: Cipher?
    ) throws(AdvertisementError) -> BTHomePacket {
        guard !data.isEmpty else { throw .truncated }
        guard isEncrypted else {
            return BTHomePacket(1, false, cipher == nil ? .plain : .downgraded, counter: nil, data[...])
        }
        let opened = try open(
            data[...], nonce: address.bytes + [0x1E, 0x18], associatedData: [0x11], cipher: cipher)
        return BTHomePacket(1, false, opened.protection, counter: opened.counter, opened.objects[...])
    }

    private init(
        _ version: UInt8, _ isTriggerBased: Bool, _ protection: Protection, counter: UInt32?,
        _ body: ArraySlice<UInt8>
    ) {
        var rest = protection == .downgraded ? [] : body
        var objects: [BTHomeObject] = []
        if version == 1 {
            while Self.takeFirst(&rest, into: &objects) {}
        } else {
            while let object = BTHomeObject.next(&rest) { objects.append(object) }
        }
        self.version = version
        self.isTriggerBased = isTriggerBased
        self.protection = protection
        self.counter = counter
        self.objects = objects
        putAside = rest.count
    }

    /// Opens what is encrypted: the objects, a counter of four bytes and a tag of four (bthome.io/encryption).
    private static func open<Cipher: BlockCipher>(
        _ body: ArraySlice<UInt8>, nonce: [UInt8], associatedData: [UInt8], cipher: Cipher?
    ) throws(AdvertisementError) -> (protection: Protection, counter: UInt32?, objects: [UInt8]) {
        guard body.count > sealLength else { throw .truncated }
        let counter = body.suffix(sealLength).prefix(4)
        let number = UInt32(truncatingIfNeeded: littleEndian(counter))
        guard let cipher else { return (.needsKey, number, []) }
        do throws(CCMError) {
            let objects = try AESCCM.opened(
                Array(body.dropLast(sealLength)), tag: Array(body.suffix(4)), nonce: nonce + counter,
                associatedData: associatedData, with: cipher)
            return (.opened, number, objects)
        } catch {
            return (.wrongKey, number, [])
        }
    }

    /// Takes the next object of version 1: a byte with its length and its form, its identifier, its value. One that is
    /// unknown is passed over, for its length is known.
    ///
    /// - Returns: false, with nothing taken, at the end and where the object is cut off.
    private static func takeFirst(_ bytes: inout ArraySlice<UInt8>, into objects: inout [BTHomeObject]) -> Bool {
        guard let control = bytes.first, let id = bytes.dropFirst().first else { return false }
        let length = Int(control & 0x1F)
        guard length >= 2, bytes.count > length else { return false }
        let value = bytes.dropFirst(2).prefix(length - 1)
        bytes = bytes.dropFirst(1 + length)
        guard let field = BTHomeField.row(id), let form = form(control >> 5, value.count, of: field) else {
            return true
        }
        objects.append(BTHomeObject(id: id, property: field.property, content: .init(value, form: form)))
        return true
    }

    /// The form of a value of version 1, whose number and length stand before it; nil for one that is not read, such as numbers
    /// with a floating point, which no known sensor sent.
    private static func form(_ number: UInt8, _ count: Int, of field: BTHomeField) -> BTHomeField.Form? {
        switch (field.form, number) {
        case (.unsigned(_, let factor), 0), (.signed(_, let factor), 0): count <= 7 ? .unsigned(count, factor) : nil
        case (.unsigned(_, let factor), 1), (.signed(_, let factor), 1): count <= 7 ? .signed(count, factor) : nil
        case (.flag, 0), (.button, 0), (.dimmer, 0), (.counted, 3): field.form
        default: nil
        }
    }
}
