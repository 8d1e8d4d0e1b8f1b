/// A device of the household that the hub's own radio brings.
public struct BluetoothDeviceRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "bluetooth_device"
    /// The id of the device.
    public var device: String
    /// The id of the household.
    public var household: String
    /// The address at which it broadcasts, such as `A4:C1:38:8D:18:B2`.
    public var address: String

    /// Creates a record.
    public init(device: String, household: String, address: String) {
        self.device = device
        self.household = household
        self.address = address
    }
}
