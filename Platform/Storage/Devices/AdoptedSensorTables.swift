import GRDB

extension Schema {
    /// The table of other makers' sensors that stand for a device of the household.
    static let adoptedSensors = """
        -- A quantity of a device whose values come on a topic of another maker's.
        CREATE TABLE adopted_sensor(
            device TEXT NOT NULL REFERENCES device, quantity TEXT NOT NULL,
            household TEXT NOT NULL REFERENCES household,
            -- Where it is heard: at the hub's own listener, at the broker that the hub is a client of, or by its radio.
            source TEXT NOT NULL CHECK(source IN ('listener', 'broker', 'bluetooth')),
            -- By which it is known when it is announced anew, on other topics perhaps.
            unique_id TEXT NOT NULL,
            topic TEXT NOT NULL,
            -- How a message says the value; NULL for a bare number.
            template TEXT,
            -- What makes it a value in the quantity's own unit.
            factor REAL NOT NULL, offset REAL NOT NULL,
            -- The last value that came, before any calibration.
            last REAL,
            PRIMARY KEY(device, quantity)) WITHOUT ROWID;
        CREATE INDEX adopted_sensor_household ON adopted_sensor(household);
        -- A device that the hub's radio brings, and the address at which.
        CREATE TABLE bluetooth_device(
            device TEXT PRIMARY KEY REFERENCES device, household TEXT NOT NULL REFERENCES household,
            address TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX bluetooth_device_household ON bluetooth_device(household);
        """
}

/// A place where the hub hears sensors of other makers.
public enum AdoptedSensorSource: String, Codable, Sendable, DatabaseValueConvertible {
    /// The hub's own MQTT listener.
    case listener
    /// The broker of the house, of which the hub is a client.
    case broker
    /// The hub's Bluetooth radio.
    case bluetooth
}

/// A quantity of a device of the household whose values another maker's sensor sends.
public struct AdoptedSensorRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "adopted_sensor"
    /// The id of the device.
    public var device: String
    /// The quantity.
    public var quantity: String
    /// The id of the household.
    public var household: String
    /// The place where it is heard.
    public var source: AdoptedSensorSource
    /// The id by which it is announced.
    public var uniqueId: String
    /// The topic of its values.
    public var topic: String
    /// The template by which a message says the value; nil for a bare number.
    public var template: String?
    /// The factor that a value is multiplied with.
    public var factor: Double
    /// The summand that is added to it then.
    public var offset: Double
    /// The last value that came, before any calibration; nil before the first.
    public var last: Double?

    /// Creates a record.
    public init(
        device: String, quantity: String, household: String, source: AdoptedSensorSource, uniqueId: String,
        topic: String,
        template: String?, factor: Double, offset: Double
    ) {
        self.device = device
        self.quantity = quantity
        self.household = household
        self.source = source
        self.uniqueId = uniqueId
        self.topic = topic
        self.template = template
        self.factor = factor
        self.offset = offset
    }
}
