import ClientKit
import GRDB
import HubKit
import Logging
import Storage

/// Plays one virtual sensor.
final class VirtualPlayer: Sendable {
    private enum Cue: Sendable {
        case measure
        case water(Int64)
    }

    private let device: String
    private let hub: HubContext
    private let cues = AsyncStream.makeStream(of: Cue.self, bufferingPolicy: .bufferingNewest(64))

    init(device: String, hub: HubContext) {
        self.device = device
        self.hub = hub
    }

    func poke() { cues.continuation.yield(.measure) }
    func water(at time: Int64) { cues.continuation.yield(.water(time)) }
    func stop() { cues.continuation.finish() }

    /// Plays the sensor until it is stopped: signs in, sends what it kept, and goes on measuring; tries again when the
    /// hub is away.
    func play() async {
        var pause = Duration.milliseconds(200)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: VirtualPlants.interval)
                    self.poke()
                }
            }
            while !Task.isCancelled {
                do {
                    if try await self.converse() { break }
                    pause = .milliseconds(200)
                } catch {
                    hub.log.debug(
                        "a virtual sensor could not speak", metadata: ["device": "\(device)", "reason": "\(error)"])
                }
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(30))
            }
            group.cancelAll()
        }
    }

    /// The facts about the sensor when it connects.
    struct Start: Sendable {
        var life: VirtualLife
        var newestStored: Int64
        var silentFrom: Int64?
    }

    /// Converses with the hub while the connection lasts.
    ///
    /// - Returns: whether there is nothing more to say, ever.
    private func converse() async throws -> Bool {
        guard let start = try await start() else { return true }
        let clock = hub.clock
        if let silentFrom = start.silentFrom, start.newestStored >= silentFrom - HouseholdCalendar.dayLength {
            return true
        }
        let address = DeviceLink.Address(
            host: hub.settings.loopbackHost, port: hub.settings.mqttPort, device: device,
            token: hub.ephemeralTokens.token(for: device))
        return try await DeviceLink.open(address) { link in
            var life = start.life
            // What it measured while it was away, oldest first.
            let kept = life.live(to: clock.now()).filter { $0.at > start.newestStored }
            try await link.publish(kept.map { ("readings", $0.payload) })
            if start.silentFrom != nil { return true }
            try await Self.measure(&life, at: clock.now(), over: &link)
            for await cue in self.cues.stream {
                if case .water(let time) = cue { life.water(at: time) }
                try await Self.measure(&life, at: clock.now(), over: &link)
            }
            return true
        }
    }

    private static func measure(_ life: inout VirtualLife, at now: Int64, over link: inout DeviceLink.Conversation)
        async throws
    {
        _ = life.live(to: now)
        guard let message = life.reading(at: now) else { return }
        try await link.publish([("readings", message.payload)])
    }

    /// Reads the facts about the sensor; nil where it is there no longer.
    func start() async throws -> Start? {
        let device = device
        let now = hub.clock.now()
        let offset = Int64(try await hub.timeZone().secondsFromGMT()) * 1_000
        return try await hub.database.pool.read { db in
            guard let record = try VirtualPlantRecord.fetchOne(db, key: device),
                let known = try DeviceRecord.fetchOne(db, key: device), known.removedAt == nil
            else { return nil }
            let pours =
                try db.plant(ofDevice: device).map { plant in
                    try db.standingWaterings(ofPlant: plant.id).filter { $0.by == .hand }.map(\.at)
                } ?? []
            let newest = try db.presentReadings(ofDevices: [device], now: now).compactMap { $0.reading?.at }.max()
            return Start(
                life: VirtualLife(record, pours: pours, utcOffset: offset), newestStored: newest ?? record.startedAt,
                silentFrom: record.silentFrom)
        }
    }
}
