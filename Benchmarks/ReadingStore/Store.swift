import Foundation
import GRDB
import Storage

/// A hub's database that is filled, sealed and asked without the hub.
struct Store {
    let pool: DatabasePool

    private static let day = RollupSpan.day.rawValue

    /// - Parameters:
    ///   - path: of a hub's file, or where a new one is made.
    ///   - isDurable: whether commits wait for the disk, as the hub's do.
    init(path: String, isDurable: Bool) throws {
        if !FileManager.default.fileExists(atPath: path) { try HubDatabase(path: path).close() }
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA secure_delete = ON") }
        pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA synchronous = \(isDurable ? "FULL" : "OFF"); PRAGMA wal_autocheckpoint = \(HubDatabase.defaultCheckpointPages);
                    PRAGMA temp_store = MEMORY
                    """)
        }
    }

    /// The id of a new series of a device, which is made too where there is none.
    func addSeries(_ quantity: String, device: String) throws -> Int64 {
        try pool.write { db in
            let household =
                try String.fetchOne(db, sql: "SELECT household FROM device WHERE id = ?", arguments: [device]) ?? "house"
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO household(id, name, time_zone, created_at) VALUES ('\(household)', 'House', 'GMT', 0);
                    INSERT OR IGNORE INTO device(id, household, kind, name, token_hash, created_at)
                    VALUES ('\(device)', '\(household)', 'plant-sensor', 'Sensor', x'', 0);
                    INSERT OR IGNORE INTO series(household, device, quantity, unit)
                    VALUES ('\(household)', '\(device)', '\(quantity)', '%');
                    """)
            return try Int64.fetchOne(
                db, sql: "SELECT id FROM series WHERE device = ? AND quantity = ?", arguments: [device, quantity]) ?? 0
        }
    }

    func store(_ readings: [Reading]) throws {
        try pool.write { db in
            var writer = ReadingWriter(db)
            try writer.insert(readings)
            try writer.finish()
        }
    }

    func seal(_ series: Int64, before: Int64) throws {
        var from = Int64.min
        while let piece = try pool.write({ db in try db.sealNext(series: series, from: from, before: before) }) {
            from = piece.end
        }
    }

    /// What is in the file, bytes, without the pages that are free.
    func bytes() throws -> Int {
        try pool.writeWithoutTransaction { db in
            try db.checkpoint(.truncate)
            func pragma(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
            return try (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
        }
    }
}

/// A series that is stored day by day.
struct Feed {
    let series: Int64
    let kind: Kind
    private let start: Int64
    private let step: Int64
    private var at: Int64
    private var noise: Noise

    /// - Parameter step: milliseconds from reading to reading; nil as the kind has it.
    init(series: Int64, kind: Kind, from start: Int64, step: Int64? = nil) {
        (self.series, self.kind, self.start, at) = (series, kind, start, start)
        self.step = step ?? 0
        noise = Noise(seed: UInt64(series))
    }

    /// Those before a time that did not come yet.
    mutating func next(before end: Int64) -> [Reading] {
        var readings: [Reading] = []
        while at < end {
            readings.append(Reading(series: series, at: at, value: kind.value(at: at, &noise)))
            if step == 0 {
                at = max(at + 1, kind.time(after: at, start: start, &noise))
            } else {
                let tick = (at - start + step / 2) / step + 1
                at = max(at + 1, start + tick * step + Int64(12 * noise.normal()))
            }
        }
        return readings
    }
}
