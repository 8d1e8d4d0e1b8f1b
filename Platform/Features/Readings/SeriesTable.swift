import NIOCore
import Storage

/// The table of all series, by device and quantity. It is used on the event loop of the MQTT listener only.
final class SeriesTable {
    private var byDevice: [String: [ByteBuffer: Series]] = [:]
    private var byID: [Int64: Series] = [:]
    private var nextID: Int64 = 1

    init(database: HubDatabase) throws {
        try database.pool.read { db in
            for record in try db.series() {
                let last = try db.latestReading(series: record.id)?.at ?? 0
                insert(
                    Series(
                        id: record.id, household: record.household, device: record.device, quantity: record.quantity,
                        assigned: last))
                nextID = max(nextID, record.id + 1)
            }
        }
    }

    subscript(id: Int64) -> Series? { byID[id] }

    func series(device: String, quantity: ByteBuffer) -> Series? { byDevice[device]?[quantity] }

    func count(ofDevice device: String) -> Int { byDevice[device]?.count ?? 0 }

    func add(device: DeviceRecord, quantity: String, unit: String?) -> (Series, SeriesRecord) {
        let record = SeriesRecord(
            id: nextID, household: device.household, device: device.id, quantity: quantity, unit: unit)
        nextID += 1
        let series = Series(
            id: record.id, household: record.household, device: record.device, quantity: quantity, assigned: 0)
        insert(series)
        return (series, record)
    }

    private func insert(_ series: Series) {
        byID[series.id] = series
        byDevice[series.device, default: [:]][series.key] = series
    }
}
