import GRDB

/// Queries about the devices of a household.
extension Database {
    /// The devices of a household, in the order in which they were added; removed ones are left out.
    public func devices(household: String) throws -> [DeviceRecord] {
        try DeviceRecord.fetchAll(
            self, sql: "SELECT * FROM device WHERE household = ? AND removed_at IS NULL ORDER BY created_at, id",
            arguments: [household])
    }
}
