import GRDB
import HubKit
import Logging
import PlantsEngine
import ServiceLifecycle
import Storage
import Synchronization

/// Looks at plants that have news, off the listener's event loop: notes each watering in their curves once, and tells
/// open pages when one has become dry, or well again.
final class WateringWatch: Service {
    /// What precedes the news in the search, so that the detector knows the noise and the level before, milliseconds.
    static let warmUp: Int64 = 3 * 86_400_000
    /// Two waterings closer than this are one, milliseconds: the same rise, seen again with more of its curve.
    static let sameRise: Int64 = 3 * 3_600_000
    /// The search's steps: the detector gets the mean of each, milliseconds.
    static let step: Int64 = 300_000
    /// A plant that is up to date is looked at no more often than this, milliseconds.
    private static let pause: Int64 = 10_000
    /// The share of the time that may be spent looking: with a thousand sensors each waits longer.
    private static let share = 10

    private struct News {
        /// The oldest reading that is new, and when the device may be looked at.
        var from: Int64
        var due: Int64
    }

    private struct State {
        var news: [String: News] = [:]
        /// When a device that was up to date may be looked at again.
        var rested: [String: Int64] = [:]
        /// How plants were, by id, when last looked at.
        var told: [String: PlantState] = [:]
    }

    private let hub: Hub
    private let observer: PlantObserver
    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(hub: Hub, observer: PlantObserver) {
        self.hub = hub
        self.observer = observer
    }

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
                // News come in bursts: wait for the rest of this one.
                var rest = Duration.seconds(2)
                while self.state.withLock({ !$0.news.isEmpty }) {
                    try await Task.sleep(for: rest)
                    let spent = await ContinuousClock().measure { await self.examineWhatIsDue() }
                    rest = max(.seconds(2), spent * Self.share)
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
        let calendar = HouseholdCalendar(timeZone: try await hub.timeZone(), now: hub.clock.now())
        let now = calendar.now
        let found = try await hub.database.pool.read { db in try Self.search(device, from: from, now: now, db) }
        guard let found else { return true }
        var isNews = false
        if found.hasNews || found.end - found.plant.examinedTo > 3_600_000 {
            isNews = try await hub.database.pool.write { db in
                let news = try found.waterings.compactMap { try Self.record(of: $0, found.plant, db) }
                for record in news { try record.upsert(db) }
                try db.execute(
                    sql: "UPDATE plant SET examined_to = max(examined_to, ?) WHERE id = ?",
                    arguments: [found.end, found.plant.id])
                return !news.isEmpty
            }
        }
        let situation = try await hub.database.pool.read { db in
            try self.observer.situation(found.plant, db, calendar)
        }
        let before = state.withLock { $0.told.updateValue(situation.state, forKey: found.plant.id) }
        if isNews || before != nil && before != situation.state {
            hub.live.tell(
                .changed(companion: Plants.slug, what: "plant", id: found.plant.id), household: found.plant.household)
        }
        return now - found.end < 3_600_000
    }

    private struct Found: Sendable {
        var plant: PlantRecord
        var waterings: [Watering]
        /// Whether one of them is not noted yet.
        var hasNews: Bool
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
        let hasNews = try waterings.contains { try record(of: $0, plant, db) != nil }
        return Found(plant: plant, waterings: waterings, hasNews: hasNews, end: last.start)
    }

    /// A watering as it is to be noted; nil where it is already, however often it is found.
    private static func record(of watering: Watering, _ plant: PlantRecord, _ db: Database) throws -> WateringRecord? {
        let near = try WateringRecord.fetchAll(
            db, sql: "SELECT * FROM watering WHERE plant = ? AND at BETWEEN ? AND ? ORDER BY abs(at - ?), id",
            arguments: [
                plant.id, min(watering.after, watering.at - sameRise), watering.at + sameRise, watering.at,
            ])
        // One noted by hand stands for the rise that it made; its time and person are known better than from the curve.
        guard var known = near.first(where: { $0.by == .hand }) ?? near.first else {
            return WateringRecord(
                id: Secret.identifier(), household: plant.household, plant: plant.id, at: watering.at, by: .sensor,
                person: nil, confidence: watering.confidence, levelBefore: watering.from, levelAfter: watering.to,
                undoneAt: nil)
        }
        // Looked at again, the numbers move a little; that is no news.
        let isKnown =
            known.levelBefore.map { abs($0 - watering.from) < 1 } == true
            && known.levelAfter.map { abs($0 - watering.to) < 1 } == true
        guard !isKnown else { return nil }
        known.levelBefore = watering.from
        known.levelAfter = watering.to
        known.confidence = watering.confidence
        return known
    }
}
