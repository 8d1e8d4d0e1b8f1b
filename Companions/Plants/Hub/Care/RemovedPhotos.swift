import GRDB
import HubKit
import Logging
import ServiceLifecycle
import Storage

/// Deletes pictures some days after somebody has removed them: until then they can be put back.
final class RemovedPhotos: Service {
    /// The time for which a removed picture can be put back, milliseconds.
    static let kept: Int64 = 7 * 86_400_000
    private static let interval = Duration.seconds(6 * 3_600)

    private let hub: HubContext

    init(hub: HubContext) { self.hub = hub }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await self.deleteOld()
                } catch is CancellationError {
                    return
                } catch {
                    self.hub.log.error("removed pictures could not be deleted", metadata: ["reason": "\(error)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Deletes those that were removed longer than ``kept`` ago. Their entries stay, as all that were taken back.
    func deleteOld() async throws {
        let before = hub.clock.now() - Self.kept
        try await hub.database.pool.write { db in
            try db.execute(
                sql: """
                    DELETE FROM plant_photo
                    WHERE entry IN (SELECT id FROM plant_care WHERE undone_at IS NOT NULL AND undone_at <= ?)
                    """, arguments: [before])
        }
    }
}

extension Database {
    /// The number of a plant's pictures, with those that were removed and can be put back.
    func photoCount(ofPlant plant: String) throws -> Int {
        try Int.fetchOne(
            self, sql: "SELECT count(*) FROM plant_photo JOIN plant_care ON plant_care.id = entry WHERE plant = ?",
            arguments: [plant]) ?? 0
    }

    /// Deletes the picture of a plant that was removed first.
    ///
    /// - Returns: false where none was removed.
    func deleteFirstRemovedPhoto(ofPlant plant: String) throws -> Bool {
        try execute(
            sql: """
                DELETE FROM plant_photo WHERE entry = (
                    SELECT entry FROM plant_photo JOIN plant_care ON plant_care.id = entry
                    WHERE plant = ? AND undone_at IS NOT NULL ORDER BY undone_at, entry LIMIT 1)
                """, arguments: [plant])
        return changesCount > 0
    }
}
