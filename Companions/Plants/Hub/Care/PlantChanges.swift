import Foundation
import GRDB
import HubKit
import Localization
import PlantsEngine
import Storage

/// Adding, changing and removing plants.
extension Plants {
    /// The past that a new virtual plant gets, so that its screen is alive at once, milliseconds.
    static let virtualPast: Int64 = 14 * 86_400_000

    func response(_ id: String, household: String, in language: Language) async throws -> PlantResponse {
        let calendar = try await calendar()
        let people = try await names(household: household)
        let situation = try await observer.situation(in: hub.database, calendar) { db in
            try db.plant(id, household: household)
        }
        return PlantResponse(situation, people: people, in: language, calendar)
    }

    /// The names of the household's people by id.
    func names(household: String) async throws -> [String: String] {
        let people = try await hub.people(household: household)
        return Dictionary(people.map { ($0.id, $0.name) }) { first, _ in first }
    }

    func add(_ input: PlantInput, household: String) async throws -> PlantRecord {
        guard let name = try input.checkedName() else {
            throw Problem.field("name", "A plant needs a name, such as Basil.")
        }
        let kind = try input.checkedKind() ?? nil
        let art = try input.checkedArt() ?? kind?.art ?? PlantArt(suggestedBy: name)
        let limits = try input.checkedLimits() ?? kind?.moisture ?? art.personality.limits
        let likes = try input.checkedLikes() ?? kind?.likes ?? PlantLikes()
        let sensors = try input.checkedSensors() ?? []
        let now = hub.clock.now()
        let plant = PlantRecord(
            id: Secret.identifier(length: 8), household: household, name: name, place: try input.checkedPlace() ?? "",
            art: art, low: limits.low, high: limits.high, createdAt: now, kind: kind?.latin, likes: likes,
            fertiliseWeeks: try input.checkedFertiliseWeeks() ?? kind?.fertiliseWeeks,
            repotYears: try input.checkedRepotYears() ?? kind?.repotYears)
        // Its token is known to nobody: it signs in with one of this run.
        let device =
            input.virtual == true
            ? DeviceRecord(
                id: Secret.identifier(length: 8), household: household, kind: Self.sensorKind,
                name: "\(name) (virtual)",
                tokenHash: Secret.hash(Secret.token()), isVirtual: true, createdAt: now) : nil
        let offset = Int64(try await hub.timeZone().secondsFromGMT()) * 1_000
        let seed =
            device == nil
            ? 0 : VirtualLife.freshSeed(art, limits: limits, from: now - Self.virtualPast, to: now, utcOffset: offset)
        try await hub.database.pool.write { db in
            try Self.checkFree(plant, db)
            try plant.insert(db)
            if let device {
                try device.insert(db)
                try VirtualPlantRecord(
                    device: device.id, household: household, seed: seed, art: art,
                    startedAt: now - Self.virtualPast, caredUntil: now, troubledUntil: now - HouseholdCalendar.dayLength
                ).insert(db)
            }
            try db.setSensors(sensors + (device.map { [$0.id] } ?? []), of: plant, now: now)
            publish(plant, after: db)
        }
        if let device {
            // It sends its past first, and then what it is like now; the answer shows that, unless the machine is very slow.
            _ = await readingWaiters.ask([device.id], since: now - 60_000, within: .seconds(4)) {
                virtual.play(device.id)
            }
            try await watch.examine(device.id, from: now - Self.virtualPast)
        }
        return plant
    }

    func change(_ id: String, _ input: PlantInput, household: String) async throws -> PlantRecord {
        let name = try input.checkedName()
        let place = try input.checkedPlace()
        let art = try input.checkedArt()
        let limits = try input.checkedLimits()
        let sensors = try input.checkedSensors()
        let kind = try input.checkedKind()
        let likes = try input.checkedLikes()
        let weeks = try input.checkedFertiliseWeeks()
        let years = try input.checkedRepotYears()
        let now = hub.clock.now()
        return try await hub.database.pool.write { db in
            var plant = try db.plant(id, household: household)
            plant.name = name ?? plant.name
            plant.place = place ?? plant.place
            plant.art = art ?? plant.art
            plant.low = limits?.low ?? plant.low
            plant.high = limits?.high ?? plant.high
            plant.likes = likes ?? plant.likes
            if let kind { plant.kind = kind?.latin }
            if let weeks { plant.fertiliseWeeks = weeks }
            if let years { plant.repotYears = years }
            try Self.checkFree(plant, db)
            try plant.update(db)
            if let sensors { try db.setSensors(sensors, of: plant, now: now) }
            publish(plant, after: db)
            return plant
        }
    }

    func remove(_ id: String, household: String) async throws {
        let now = hub.clock.now()
        let (plant, devices) = try await hub.database.pool.write { db in
            let plant = try db.plant(id, household: household)
            let devices = try db.remove(plant, now: now)
            for device in devices { hub.live.publish(.device(device), household: household, after: db) }
            publish(plant, after: db)
            return (plant, devices)
        }
        observer.forget(plant)
        for device in devices {
            virtual.stop(device)
            hub.messages.remove(device: device)
        }
    }

    /// The longest that a plant can be put off, milliseconds: two weeks.
    static let longestSnooze: Int64 = 14 * 86_400_000
    /// The time of a snooze where nobody says how long: a day.
    static let usualSnooze: Int64 = 86_400_000

    /// Puts a plant off: nobody is reminded of it for a while.
    ///
    /// - Parameter until: UTC milliseconds; nil takes a snooze back.
    func snooze(_ id: String, until: Int64?, household: String) async throws {
        let now = hub.clock.now()
        if let until {
            guard until > now else { throw Problem.field("until", "This time has passed. Choose one that is ahead.") }
            guard until <= now + Self.longestSnooze else {
                throw Problem.field("until", "A plant can be put off for two weeks at most.")
            }
        }
        try await hub.database.pool.write { db in
            var plant = try db.plant(id, household: household)
            plant.snoozedUntil = until
            try plant.update(db)
            publish(plant, after: db)
        }
    }

    private static func checkFree(_ plant: PlantRecord, _ db: Database) throws {
        let free = try db.freeName(plant.name, household: plant.household, except: plant.id)
        guard free == plant.name else {
            throw Problem(
                .conflict, "Name taken", "There is a plant called “\(plant.name)” already. “\(free)” is free.",
                field: "name")
        }
    }
}

extension String {
    var trimmingSpaces: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
