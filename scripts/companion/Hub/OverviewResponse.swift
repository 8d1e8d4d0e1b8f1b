import GRDB
import @NAME@Engine
import Storage

/// The response that the page shows: `GET /api/@SLUG@`.
struct OverviewResponse: Codable {
    struct Device: Codable {
        var id, name: String
        /// The level, percent; nil where the device has sent none yet.
        var level: Double?
        /// The time of the measurement, UTC milliseconds.
        var at: Int64?
        /// The state: `low`, `fine` or `high`.
        var state: String?
    }

    var devices: [Device]
}

extension OverviewResponse.Device {
    init(_ device: DeviceRecord, _ db: Database) throws {
        id = device.id
        name = device.name
        guard let series = try db.series(device: device.id, quantity: LevelMessageDecoder.topic),
            let latest = try db.latestReading(series: series.id)
        else { return }
        level = latest.value
        at = latest.at
        state = "\(Level.state(latest.value))"
    }
}
