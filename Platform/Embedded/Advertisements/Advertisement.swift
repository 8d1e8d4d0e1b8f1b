import Wire

/// An advertisement of a Bluetooth device, as far as sensors use one: its sender, its name, and the data of companies and of
/// services with UUIDs of 16 bits.
public struct Advertisement: Equatable, Sendable {
    /// The data that a manufacturer defined.
    public struct ManufacturerData: Equatable, Sendable {
        /// The company's identifier (Bluetooth Assigned Numbers, 7.1).
        public let company: UInt16
        /// The bytes after the identifier.
        public let bytes: [UInt8]

        /// Creates it.
        public init(company: UInt16, bytes: [UInt8]) {
            self.company = company
            self.bytes = bytes
        }
    }

    /// The data of a service.
    public struct ServiceData: Equatable, Sendable {
        /// The service's UUID of 16 bits (Bluetooth Assigned Numbers, 3.4).
        public let uuid: UInt16
        /// The bytes after the UUID.
        public let bytes: [UInt8]

        /// Creates it.
        public init(uuid: UInt16, bytes: [UInt8]) {
            self.uuid = uuid
            self.bytes = bytes
        }
    }

    /// The sender.
    public var address: BluetoothAddress
    /// The device's name, complete or shortened, as it is sent: UTF-8 if the device is right.
    public var localName: [UInt8]?
    /// The data of manufacturers, in the order of the advertisement.
    public var manufacturerData: [ManufacturerData]
    /// The data of services, in the order of the advertisement.
    public var serviceData: [ServiceData]

    /// Creates an advertisement of parts that something else has taken apart, such as BlueZ.
    public init(
        address: BluetoothAddress, localName: [UInt8]? = nil, manufacturerData: [ManufacturerData] = [],
        serviceData: [ServiceData] = []
    ) {
        self.address = address
        self.localName = localName
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
    }

    /// Takes the structures of an advertisement apart (Core Specification, volume 3, part C, 11: a length, a type, the data).
    /// A structure of length nought ends them, and one that is cut off is left out.
    public init(address: BluetoothAddress, structures: [UInt8]) {
        self.init(address: address)
        var rest = structures[...]
        while let length = rest.popFirst(), length > 0 {
            guard Int(length) <= rest.count else { return }
            let structure = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            take(structure)
        }
    }

    /// Takes one structure (Core Specification Supplement, part A, 1).
    private mutating func take(_ structure: ArraySlice<UInt8>) {
        let data = structure.dropFirst()
        switch structure.first {
        case 0x08 where localName == nil: localName = Array(data)
        case 0x09: localName = Array(data)
        case 0x16 where data.count >= 2:
            serviceData.append(
                ServiceData(uuid: UInt16(littleEndian(data.prefix(2))), bytes: Array(data.dropFirst(2))))
        case 0xFF where data.count >= 2:
            manufacturerData.append(
                ManufacturerData(company: UInt16(littleEndian(data.prefix(2))), bytes: Array(data.dropFirst(2))))
        default: return
        }
    }

    /// The first data of a service; nil where there is none.
    public func serviceData(of uuid: UInt16) -> [UInt8]? {
        for data in serviceData where data.uuid == uuid { return data.bytes }
        return nil
    }

    /// The first data of a manufacturer; nil where there is none.
    public func manufacturerData(of company: UInt16) -> [UInt8]? {
        for data in manufacturerData where data.company == company { return data.bytes }
        return nil
    }

    /// The 16 bits of a UUID that is written out, such as `0000fcd2-0000-1000-8000-00805f9b34fb`, in either case; nil for one
    /// that is not made of 16 bits (Core Specification, volume 3, part B, 2.5.1).
    public static func shortUUID(_ text: Span<UInt8>) -> UInt16? {
        let base: StaticString = "0000????-0000-1000-8000-00805f9b34fb"
        guard text.count == base.utf8CodeUnitCount else { return nil }
        var uuid: UInt16 = 0
        for index in 0..<text.count {
            let expected = base.withUTF8Buffer { $0[index] }
            if expected == UInt8(ascii: "?") {
                guard let digit = hexValue(text[index]) else { return nil }
                uuid = uuid << 4 | UInt16(digit)
            } else if let digit = hexValue(expected) {
                guard hexValue(text[index]) == digit else { return nil }
            } else {
                guard text[index] == expected else { return nil }
            }
        }
        return uuid
    }
}
