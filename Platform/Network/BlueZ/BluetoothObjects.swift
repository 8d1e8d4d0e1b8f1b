/// The objects of BlueZ, radios and the devices in their reach, kept as its signals change them (BlueZ
/// `doc/org.bluez.Adapter.rst`, `doc/org.bluez.Device.rst`, `doc/org.bluez.GattCharacteristic.rst`).
struct BluetoothObjects: Sendable {
    /// The interfaces of BlueZ that are looked at.
    enum Interface {
        static let adapter = "org.bluez.Adapter1"
        static let device = "org.bluez.Device1"
        static let characteristic = "org.bluez.GattCharacteristic1"
        static let all: Set = [adapter, device, characteristic]
    }

    /// The most objects that are kept: a crowded place has some hundred devices in reach.
    static let most = 4_096

    private(set) var properties: [String: [String: [String: BusValue]]] = [:]

    /// Takes the answer of `GetManagedObjects`.
    mutating func replace(_ answer: BusValue) {
        properties = [:]
        guard case .dictionary(let objects) = answer else { return }
        for (path, interfaces) in objects {
            if let path = path.text, let interfaces = interfaces.members { add(path, interfaces) }
        }
    }

    /// Adds what an object has.
    mutating func add(_ path: String, _ interfaces: [String: BusValue]) {
        for (interface, values) in interfaces where Interface.all.contains(interface) {
            guard properties[path] != nil || properties.count < Self.most else { return }
            properties[path, default: [:]][interface] = values.members ?? [:]
        }
    }

    /// Changes properties of an object.
    mutating func change(_ path: String, _ interface: String, _ changed: [String: BusValue], without: [String]) {
        guard properties[path]?[interface] != nil else { return }
        properties[path]?[interface]?.merge(changed) { $1 }
        for name in without { properties[path]?[interface]?[name] = nil }
    }

    /// Takes interfaces of an object away.
    mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces { properties[path]?[interface] = nil }
        if properties[path]?.isEmpty ?? false { properties[path] = nil }
    }

    /// The paths of the objects with an interface, in order.
    func paths(with interface: String) -> [String] {
        properties.lazy.filter { $0.value[interface] != nil }.map(\.key).sorted()
    }

    /// The device of an object.
    func device(_ path: String) -> BluetoothDevice? {
        guard let values = properties[path]?[Interface.device], let address = values["Address"]?.text else {
            return nil
        }
        return BluetoothDevice(
            path: path, address: address.uppercased(), name: values["Name"]?.text,
            strength: values["RSSI"]?.integer.flatMap { Int(exactly: $0) },
            services: Set((values["UUIDs"]?.array ?? []).compactMap { $0.text?.lowercased() }),
            serviceData: (values["ServiceData"]?.members ?? [:]).compactMapValues(\.bytes),
            manufacturerData: Dictionary(
                (values["ManufacturerData"]?.numbered ?? [:]).compactMap { company, data in
                    UInt16(exactly: company).flatMap { company in data.bytes.map { (company, $0) } }
                }, uniquingKeysWith: { $1 }),
            isConnected: values["Connected"]?.bool ?? false, isResolved: values["ServicesResolved"]?.bool ?? false)
    }

    /// The path of a device with an address.
    func path(of address: String) -> String? {
        paths(with: Interface.device).first {
            properties[$0]?[Interface.device]?["Address"]?.text?.uppercased() == address
        }
    }

    /// The characteristics of a device, by their UUIDs.
    func characteristics(of device: String) -> [BluetoothCharacteristic] {
        paths(with: Interface.characteristic).compactMap { path in
            guard path.hasPrefix(device + "/"), let values = properties[path]?[Interface.characteristic],
                let uuid = values["UUID"]?.text
            else { return nil }
            return BluetoothCharacteristic(
                path: path, uuid: uuid.lowercased(), flags: Set((values["Flags"]?.array ?? []).compactMap(\.text)))
        }
    }
}

/// A device in reach of this machine's radio, with what it broadcast last.
public struct BluetoothDevice: Sendable, Equatable {
    /// BlueZ's name of it.
    var path: String
    /// Its address, such as `A4:C1:38:8D:18:B2`.
    public var address: String
    /// The name that it says.
    public var name: String?
    /// The strength of its signal, in dBm.
    public var strength: Int?
    /// The UUIDs of its services, in lower case.
    public var services: Set<String>
    /// The bytes that it broadcasts for services, by their UUIDs in lower case.
    public var serviceData: [String: [UInt8]]
    /// The bytes that it broadcasts as its maker likes, by the maker's number.
    public var manufacturerData: [UInt16: [UInt8]]
    /// Whether there is a connection.
    public var isConnected: Bool
    /// Whether its services are known.
    var isResolved: Bool
}

/// A value of a device that can be read, written or listened to (Bluetooth Core 5.4, Vol 3, Part G, 3.3).
public struct BluetoothCharacteristic: Sendable, Equatable {
    /// BlueZ's name of it.
    var path: String
    /// Its UUID in lower case.
    public var uuid: String
    /// The ways to use it: `read`, `write`, `write-without-response`, `notify` …
    public var flags: Set<String>

    /// Whether another one is the same value of the same device.
    public func isSame(as other: BluetoothCharacteristic) -> Bool { path == other.path }
}
