import GRDB
import Storage

/// The owner of a toothbrush that speaks by Bluetooth.
struct BrushRecord: Storage.TableRecord, Equatable {
    static let databaseTableName = "brushing_brush"
    /// The id of the device.
    var device: String
    /// The id of the household.
    var household: String
    /// The id of the person.
    var person: String

    /// The brushes of a household, with their names and owners.
    static func all(household: String, _ db: Database) throws -> [(device: DeviceRecord, person: String?)] {
        let owners = try BrushRecord.fetchAll(
            db, cached: "SELECT * FROM brushing_brush WHERE household = ?", arguments: [household])
        return try db.devices(household: household).filter { $0.kind == Brushing.brushKind }.map { device in
            (device, owners.first { $0.device == device.id }?.person)
        }
    }
}
