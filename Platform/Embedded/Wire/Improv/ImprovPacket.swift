/// A packet of Improv Wi-Fi over a serial line, version 1 (improv-wifi.com/serial): `IMPROV`, version, type, length, data,
/// checksum. On the line a newline follows each packet.
public struct ImprovPacket: Equatable, Sendable {
    /// The type of a packet.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Device to client: one byte, an ``ImprovState``.
        case currentState = 1
        /// Device to client: one byte, an ``ImprovError``.
        case errorState = 2
        /// Client to device: an ``ImprovCommand``.
        case command = 3
        /// Device to client: command, length of all, and strings after their lengths.
        case result = 4
    }

    /// The reason why bytes are not a packet.
    public enum Fault: Error, Equatable, Sendable {
        /// The bytes do not begin with `IMPROV`.
        case noHeader
        /// A version that is not 1.
        case unknownVersion(UInt8)
        /// A type that version 1 does not have.
        case unknownType(UInt8)
        /// The bytes end before the packet does.
        case cutOff
        /// The checksum is of other bytes.
        case checksum(expected: UInt8, found: UInt8)
    }

    /// The protocol's version.
    public static var version: UInt8 { 1 }
    /// Bytes before the data.
    public static var headerSize: Int { 9 }

    /// The type of the packet.
    public var kind: Kind
    /// The range of the data, in the decoded bytes.
    public var data: Range<Int>

    /// Reads a packet from the beginning of `bytes`; the bytes after it are ignored.
    public init(decoding bytes: Span<UInt8>) throws(Fault) {
        for index in 0..<6 {
            guard index < bytes.count else { throw .cutOff }
            guard bytes[index] == Self.letter(index) else { throw .noHeader }
        }
        guard bytes.count > Self.headerSize else { throw .cutOff }
        guard bytes[6] == Self.version else { throw .unknownVersion(bytes[6]) }
        let end = Self.headerSize + Int(bytes[8])
        guard bytes.count > end else { throw .cutOff }
        var sum: UInt8 = 0
        for index in 0..<end { sum &+= bytes[index] }
        guard sum == bytes[end] else { throw .checksum(expected: sum, found: bytes[end]) }
        guard let kind = Kind(rawValue: bytes[7]) else { throw .unknownType(bytes[7]) }
        self.kind = kind
        data = Self.headerSize..<end
    }

    /// Appends a packet with its checksum, and the newline that follows it.
    ///
    /// - Parameters:
    ///   - kind: the type of the packet.
    ///   - data: at most 255 bytes; the rest is cut off.
    ///   - sink: the destination.
    public static func encode(_ kind: Kind, data: Span<UInt8>, into sink: inout some ByteSink) {
        let count = UInt8(clamping: data.count)
        var sum: UInt8 = 0
        func add(_ byte: UInt8, _ sink: inout some ByteSink) {
            sum &+= byte
            sink.append(byte)
        }
        for index in 0..<6 { add(letter(index), &sink) }
        add(version, &sink)
        add(kind.rawValue, &sink)
        add(count, &sink)
        for index in 0..<Int(count) { add(data[index], &sink) }
        sink.append(sum)
        sink.append(UInt8(ascii: "\n"))
    }

    /// The letters of `IMPROV`.
    public static func letter(_ index: Int) -> UInt8 {
        switch index {
        case 0: UInt8(ascii: "I")
        case 1: UInt8(ascii: "M")
        case 2: UInt8(ascii: "P")
        case 3: UInt8(ascii: "R")
        case 4: UInt8(ascii: "O")
        default: UInt8(ascii: "V")
        }
    }
}

/// The state of a device that is being set up.
public enum ImprovState: UInt8, CaseIterable, Sendable {
    case ready = 2
    case provisioning = 3
    case provisioned = 4
}

/// The reason why a device could not execute a command.
public enum ImprovError: UInt8, CaseIterable, Sendable {
    case none = 0
    case invalidPacket = 1
    case unknownCommand = 2
    /// The network was not joined: a wrong password, or it is not there.
    case unableToConnect = 3
    case badHostname = 5
    case unknown = 0xFF
}

/// A command from a client to a device, in the data of a ``ImprovPacket/Kind/command``.
public enum ImprovCommand: Equatable, Sendable {
    /// Join this network. The ranges are in the data.
    case wifiSettings(ssid: Range<Int>, password: Range<Int>)
    case requestState
    case requestInformation
    case requestNetworks

    /// The number of the command to join a network.
    public static var wifiSettingsNumber: UInt8 { 1 }
    /// The number of the command for the state.
    public static var requestStateNumber: UInt8 { 2 }
    /// The number of the command for information about the device.
    public static var requestInformationNumber: UInt8 { 3 }
    /// The number of the command for the networks in reach.
    public static var requestNetworksNumber: UInt8 { 4 }

    /// Reads a command; the error is the answer, ``ImprovError/invalidPacket`` or ``ImprovError/unknownCommand``.
    public static func decoding(_ data: Span<UInt8>) -> Result<ImprovCommand, ImprovCommandFault> {
        guard data.count >= 2, Int(data[1]) == data.count - 2 else { return .failure(.init(.invalidPacket)) }
        switch data[0] {
        case requestStateNumber: return .success(.requestState)
        case requestInformationNumber: return .success(.requestInformation)
        case requestNetworksNumber: return .success(.requestNetworks)
        case wifiSettingsNumber: break
        default: return .failure(.init(.unknownCommand))
        }
        guard data.count > 2 else { return .failure(.init(.invalidPacket)) }
        let ssid = 3..<3 + Int(data[2])
        // IEEE 802.11: an SSID has at most 32 bytes, of any value; a WPA passphrase at most 63, or a key of 64 digits.
        guard ssid.upperBound < data.count, (1...32).contains(ssid.count) else {
            return .failure(.init(.invalidPacket))
        }
        let password = ssid.upperBound + 1..<ssid.upperBound + 1 + Int(data[ssid.upperBound])
        guard password.upperBound == data.count, password.count <= 64 else { return .failure(.init(.invalidPacket)) }
        return .success(.wifiSettings(ssid: ssid, password: password))
    }

    /// Appends the data of a command to join a network.
    public static func encodeWifiSettings(ssid: Span<UInt8>, password: Span<UInt8>, into sink: inout some ByteSink) {
        sink.append(wifiSettingsNumber)
        sink.append(UInt8(clamping: ssid.count + password.count + 2))
        sink.append(UInt8(clamping: ssid.count))
        sink.put(bytes: ssid)
        sink.append(UInt8(clamping: password.count))
        sink.put(bytes: password)
    }
}

/// The reason why a command is refused.
public struct ImprovCommandFault: Error, Equatable, Sendable {
    /// The device's answer.
    public let error: ImprovError

    init(_ error: ImprovError) { self.error = error }
}
