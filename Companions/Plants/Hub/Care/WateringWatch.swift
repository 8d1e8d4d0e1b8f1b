import GRDB
import HubKit
import Logging
import PlantsEngine
import ServiceLifecycle
import Storage
import Synchronization

/// Looks for waterings in the curves of plants that have news, off the listener's event loop, and notes each once.
final class WateringWatch: Service {
    /// What precedes the news in the search, so that the detector knows the noise and the level before, milliseconds.
    static let warmUp: Int64 = 3 * 86_400_000
    /// Two waterings closer than this are one, milliseconds: the same rise, seen again with more of its curve.
    static let sameRise: Int64 = 3 * 3_600_000
    /// The search's steps: the detector gets the mean of each, milliseconds.
    static let step: Int64 = 300_000
    /// A plant that is up to date is looked at no more often than this, milliseconds: a watering takes longer than
    /// that to be confirmed anyway.
    private static let pause: Int64 = 60_000

    private struct News {
        /// The oldest reading that is new, and when the device may be looked at.
        var from: Int64
        var due: Int64
    }

    private struct State {
        var news: [String: News] = [:]
        /// When a device that was up to date may be looked at again.
        var rested: [String: Int64] = [:]
    }

    private let hub: Hub
    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(hub: Hub) { self.hub = hub }

    /// A device has a new moisture reading. Called on the listener's event loop.
    func note(_ device: String, at: Int64) {
        let isFirst = state.withLock { state in
            if let news = state.news[device] {
                if at < news.from { state.news[device]?.from = at }
                return false
            }
            state.news[device] = News(from: at, due: state.rested[device] ?? 0)
            return true
        }
        if isFirst { signal.continuation.yield() }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            for await _ in self.signal.stream {
                while self.state.withLock({ !$0.news.isEmpty }) {
                    // News come in bursts: wait for the rest of this one.
                    try await Task.sleep(for: .seconds(2))
                    await self.examineWhatIsDue()
                }
            }
        }
    }

    private func examineWhatIsDue() async {
        let now = hub.clock.now()
        let due = state.withLock { state in
            let due = state.news.filter { $0.value.due <= now }
            for device in due.keys { state.news[device] = nil }
            return due
        }
        for (device, news) in due.sorted(by: { $0.key < $1.key }) {
            do {
                let isUpToDate = try await examine(device, from: news.from)
                state.withLock { $0.rested[device] = isUpToDate ? now + Self.pause : nil }
            } catch {
                hub.log.error(
                    "a curve could not be searched for waterings",
                    metadata: ["device": "\(device)", "reason": "\(error)"])
            }
        }
    }

    /// Searches the curve of the plant that a device speaks for, and tells open pages of what was found.
    /// - Parameter from: the oldest reading that is new.
    /// - Returns: whether the curve reaches about to the present.
    @discardableResult
    func examine(_ device: String, from: Int64) async throws -> Bool {
        let now = hub.clock.now()
        let found = try await hub.database.pool.read { db in try Self.search(device, from: from, now: now, db) }
        guard let found else { return true }
        if !found.waterings.isEmpty || found.end - found.plant.examinedTo > 3_600_000 {
            let changed = try await hub.database.pool.write { db in
                var changed = false
                for watering in found.waterings {
                    if try Self.note(watering, of: found.plant, db) { changed = true }
                }
                try db.execute(
                    sql: "UPDATE plant SET examined_to = max(examined_to, ?) WHERE id = ?",
                    arguments: [found.end, found.plant.id])
                return changed
            }
            if changed {
                hub.live.tell(
                    .changed(companion: Plants.slug, what: "plant", id: found.plant.id),
                    household: found.plant.household)
            }
        }
        return now - found.end < 3_600_000
    }

    private struct Found: Sendable {
        var plant: PlantRecord
        var waterings: [Watering]
        var end: Int64
    }

    private static func search(_ device: String, from: Int64, now: Int64, _ db: Database) throws -> Found? {
        guard let plant = try db.plant(ofDevice: device),
            let sensor = try db.sensors(ofPlant: plant.id).first(where: { sensor in
                try db.series(device: sensor.device.id, quantity: "moisture") != nil
            }), sensor.device.id == device,
            let series = try db.series(device: device, quantity: "moisture")
        else { return nil }
        let start = max(min(from, plant.examinedTo) - warmUp, sensor.since)
        let buckets = try db.buckets(series: series.id, from: start, to: now + SensorMessage.lead, width: step)
        guard let first = buckets.first, let last = buckets.last else { return nil }
        let samples = buckets.map { MoistureSample(at: $0.start, percent: $0.mean) }
        // Where the curve was cut, a rise may seem to be one that is none; where it begins, it may not.
        let isCut = first.start - start < warmUp / 2 && start > sensor.since
        let earliest = isCut ? first.start + 6 * 3_600_000 : Int64.min
        let waterings = WateringDetector.waterings(in: samples).filter { $0.at >= earliest }
        return Found(plant: plant, waterings: waterings, end: last.start)
    }

    /// Notes a watering once, however often it is found.
    /// - Returns: whether anything is different now.
    static func note(_ watering: Watering, of plant: PlantRecord, _ db: Database) throws -> Bool {
        let near = try WateringRecord.fetchAll(
            db, sql: "SELECT * FROM watering WHERE plant = ? AND at BETWEEN ? AND ? ORDER BY abs(at - ?), id",
            arguments: [
                plant.id, min(watering.after, watering.at - sameRise), watering.at + sameRise, watering.at,
            ])
        // One noted by hand stands for the rise that it made; it is told when and by whom better than the curve can.
        if var known = near.first(where: { $0.by == .hand }) ?? near.first {
            // Looked at again, the numbers move a little; that is no news.
            let isKnown =
                known.levelBefore.map { abs($0 - watering.from) < 1 } == true
                && known.levelAfter.map { abs($0 - watering.to) < 1 } == true
            guard !isKnown else { return false }
            known.levelBefore = watering.from
            known.levelAfter = watering.to
            known.confidence = watering.confidence
            try known.update(db)
            return true
        }
        try WateringRecord(
            id: Secret.identifier(), household: plant.household, plant: plant.id, at: watering.at, by: .sensor,
            person: nil,
            confidence: watering.confidence, levelBefore: watering.from, levelAfter: watering.to, undoneAt: nil
        ).insert(db, onConflict: .ignore)
        return true
    }
}
