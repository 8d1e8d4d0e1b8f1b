/// A kind of device that the hub's own Bluetooth radio brings.
public struct BluetoothKind: Sendable {
    /// The kind of the device, one of ``Companion/deviceKinds``.
    public var kind: String
    /// The maker and model for screens, such as `BeeBop`.
    public var model: String
    /// Whether a broadcast is that of such a device. Called for each broadcast in reach, so it is to be quick.
    public var matches: @Sendable (BluetoothBroadcast) -> Bool
    /// The service to which the hub connects, for the messages of the kind's ``DeviceKind/channel``; nil for a device that
    /// is only listened to.
    public var service: BluetoothSerialService?

    /// Declares a kind.
    ///
    /// - Parameters:
    ///   - kind: the kind of the device.
    ///   - model: the maker and model for screens.
    ///   - service: the service to which the hub connects; nil for none.
    ///   - matches: whether a broadcast is that of such a device.
    public init(
        kind: String, model: String, service: BluetoothSerialService? = nil,
        matches: @escaping @Sendable (BluetoothBroadcast) -> Bool
    ) {
        self.kind = kind
        self.model = model
        self.service = service
        self.matches = matches
    }
}

/// A service of a Bluetooth device with which bytes are exchanged: one characteristic is written, another one notifies.
public struct BluetoothSerialService: Sendable, Equatable {
    /// The UUID of the service, in lower case.
    public var uuid: String
    /// The UUID of the characteristic to which pages' messages are written; nil for a device that takes none.
    public var written: String?
    /// The UUID of the characteristic whose values are the device's messages.
    public var notified: String

    /// Declares a service.
    public init(uuid: String, written: String?, notified: String) {
        self.uuid = uuid
        self.written = written
        self.notified = notified
    }
}

/// The last that a Bluetooth device has broadcast, as far as it is known (Bluetooth Core 5.4, Vol 3, Part C, 11).
public struct BluetoothBroadcast: Sendable, Equatable {
    /// The device's address, such as `A4:C1:38:8D:18:B2`.
    public var address: String
    /// The name that it says; nil for none.
    public var name: String?
    /// The strength of its signal, in dBm; nil where it is not known.
    public var strength: Int?
    /// The UUIDs of the services that it says, in lower case.
    public var services: Set<String>
    /// The bytes that it says as its maker likes, by the maker's number.
    public var manufacturerData: [UInt16: [UInt8]]
    /// The time at which it was heard, in UTC milliseconds.
    public var at: Int64

    /// Creates a broadcast.
    public init(
        address: String, name: String?, strength: Int?, services: Set<String>, manufacturerData: [UInt16: [UInt8]],
        at: Int64
    ) {
        self.address = address
        self.name = name
        self.strength = strength
        self.services = services
        self.manufacturerData = manufacturerData
        self.at = at
    }
}
