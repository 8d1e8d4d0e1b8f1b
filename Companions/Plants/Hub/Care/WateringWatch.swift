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
    /// The stretch before the news that is searched too, so that the detector knows the noise and the level before,
    /// milliseconds.
    static let warmUp: Int64 = 3 * 86_400_000
    /// The distance below which two waterings are one, milliseconds: the same rise, seen again with more of its curve.
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

    /// The state of a plant as it was published last.
    private struct PublishedState: Equatable {
        var state: PlantState
        var claim: WateringClaim
    }

    private struct State {
        var news: [String: News] = [:]
        /// The time at which a device that was up to date may be looked at again.
        var rested: [String: Int64] = [:]
        /// The states of plants as they were published last, by id.
        var published: [String: PublishedState] = [:]
    }

    private let hub: HubContext
    private let observer: PlantObserver
    private let state = Mutex(State())
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(hub: HubContext, observer: PlantObserver) {
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

    /// Searches the curves of the devices that have news, those left out that were looked at a moment ago.
    func examineWhatIsDue() async {
        let now = hub.clock.now()
        let due = state.withLock { state in
            // Due later than a pause from now is what a clock said that has been put right since.
            let due = state.news.filter { $0.value.due <= now || $0.value.due - now > Self.pause }
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
        let stored = try await hub.database.pool.read { db in
            try StoredStretch(of: device, from: from, to: now + SensorMessage.lead, db)
        }
        guard let stored, let found = Found(in: stored) else { return true }
        var isNews = false
        let noted = try await hub.database.pool.read { db in try found.noted(db) }
        if !found.news(beside: noted).isEmpty || found.end - found.plant.examinedTo > 3_600_000 {
            isNews = try await hub.database.pool.write { db in
                let news = found.news(beside: try found.noted(db))
                for record in news { try record.upsert(db) }
                try db.execute(
                    cached: "UPDATE plant SET examined_to = max(examined_to, ?) WHERE id = ?",
                    arguments: [found.end, found.plant.id])
                return !news.isEmpty
            }
        }
        let situation = try await observer.situation(in: hub.database, calendar) { _ in found.plant }
        let current = PublishedState(state: situation.state, claim: situation.claim)
        let before = state.withLock { $0.published.updateValue(current, forKey: found.plant.id) }
        if isNews || before != nil && before != current {
            hub.live.publish(
                .changed(companion: Plants.slug, what: "plant", id: found.plant.id), household: found.plant.household)
        }
        return now - found.end < 3_600_000
    }
}

/// The stored part of the curve that a device makes for its plant, as far as it is worth a search.
private struct StoredStretch: Sendable {
    let plant: PlantRecord
    let buckets: [Bucket]
    /// The time from which on its readings are the plant's, and on the scale that the sensor has now.
    let since: Int64
    /// The beginning, UTC milliseconds.
    let start: Int64

    /// Reads the curve; nil where the device does not speak for a plant: it is none's, or another one's moisture
    /// counts.
    init?(of device: String, from: Int64, to: Int64, _ db: Database) throws {
        guard let plant = try db.plant(ofDevice: device),
            let leading = try Row.fetchOne(
                db,
                cached: """
                    SELECT plant_sensor.device, \(CalibrationRecord.scaledSince), series.id FROM plant_sensor
                    JOIN device ON device.id = plant_sensor.device
                    LEFT JOIN plant_calibration ON plant_calibration.device = plant_sensor.device
                    JOIN series ON series.device = plant_sensor.device AND quantity = 'moisture'
                    WHERE plant = ? AND until IS NULL AND device.removed_at IS NULL ORDER BY position LIMIT 1
                    """, arguments: [plant.id]), (leading[0] as String) == device
        else { return nil }
        self.plant = plant
        since = leading[1]
        start = max(min(from, plant.examinedTo) - WateringWatch.warmUp, since)
        buckets = try db.buckets(series: leading[2], from: start, to: to, width: WateringWatch.step)
    }
}

/// The waterings that a curve shows.
private struct Found: Sendable {
    var plant: PlantRecord
    var waterings: [Watering]
    var end: Int64

    /// Searches the curve for waterings; nil where nothing was measured.
    init?(in stored: StoredStretch) {
        guard let first = stored.buckets.first, let last = stored.buckets.last else { return nil }
        let samples = stored.buckets.map { MoistureSample(at: $0.start, percent: $0.mean) }
        // Where the curve was cut, a rise may seem to be one that is none; where it begins, it may not.
        let isCut = first.start - stored.start < WateringWatch.warmUp / 2 && stored.start > stored.since
        let earliest = isCut ? first.start + 6 * 3_600_000 : Int64.min
        plant = stored.plant
        waterings = WateringDetector.waterings(in: samples).filter { $0.at >= earliest }
        end = last.start
    }

    /// The waterings that are noted around all of them, in one query.
    func noted(_ db: Database) throws -> [WateringRecord] {
        guard let from = waterings.map({ Self.near($0).lowerBound }).min(),
            let to = waterings.map({ Self.near($0).upperBound }).max()
        else { return [] }
        return try WateringRecord.fetchAll(
            db, cached: "SELECT * FROM watering WHERE plant = ? AND at BETWEEN ? AND ? ORDER BY id",
            arguments: [plant.id, from, to])
    }

    /// The waterings that are to be noted, as they are to be: none that is already, however often it is found.
    func news(beside noted: [WateringRecord]) -> [WateringRecord] {
        waterings.compactMap { record(of: $0, beside: noted) }
    }

    /// The times at which a noted watering is the same as one that was found, UTC milliseconds.
    private static func near(_ watering: Watering) -> ClosedRange<Int64> {
        min(watering.after, watering.at - WateringWatch.sameRise)...watering.at + WateringWatch.sameRise
    }

    private func record(of watering: Watering, beside noted: [WateringRecord]) -> WateringRecord? {
        let range = Self.near(watering)
        let near = noted.filter { range.contains($0.at) }.sorted {
            (abs($0.at - watering.at), $0.id) < (abs($1.at - watering.at), $1.id)
        }
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
