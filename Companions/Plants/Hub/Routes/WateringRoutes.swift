import GRDB
import HubKit
import PlantsEngine
import Storage

/// The watering log of a plant: what was seen, what was noted, and what was taken back.
struct WateringRoutes: Sendable {
    let plants: Plants

    func add(to routes: Routes) {
        routes.get("/api/plants/{id}/waterings", .member, "A plant’s waterings, the latest first.") { request in
            let household = try request.member.household
            let id = try request.path("id")
            let people = try await plants.names(household: household)
            let waterings = try await request.hub.database.pool.read { db in
                try db.waterings(ofPlant: try db.plant(id, household: household).id)
            }
            let language = request.language
            return try .json(waterings.map { WateringResponse($0, people: people, in: language) })
        }
        routes.post(
            "/api/plants/{id}/waterings", .member,
            "“I watered it”, now or at another time, by whoever uses the page or another `person`. Takes an Idempotency-Key.",
            takes: WateringInput.self
        ) { request, input in
            let member = try request.member
            let (id, language) = (try request.path("id"), request.language)
            return try await request.idempotently { db in
                let people = try PersonRecord.filter(sql: "household = ?", arguments: [member.household]).fetchAll(db)
                let names = Dictionary(people.map { ($0.id, $0.name) }) { first, _ in first }
                // A phone without the hub keeps what was done until it is back. Who it was may have moved out since,
                // and then their other waterings are nobody's too.
                let person = input.person.map { names[$0] == nil ? nil : $0 } ?? member.profile.id
                if let named = people.first(where: { $0.id == person }) {
                    try request.hub.policy.checkName(member, of: named)
                }
                let watering = try plants.water(
                    id, at: input.at, person: person, household: member.household,
                    mostADay: member.profile.role == .child ? Plants.mostNotesADay : nil, db)
                let response = try APIResponse.created(WateringResponse(watering, people: names, in: language))
                return response.naming(watering.person)
            }
        }
        routes.delete(
            "/api/plants/{id}/waterings/{watering}", .member,
            "Takes a watering back: it was none. Takes an Idempotency-Key."
        ) { request in
            try await set(undone: true, request)
        }
        routes.post(
            "/api/plants/{id}/waterings/{watering}/restore", .member,
            "It was a watering after all. Takes an Idempotency-Key."
        ) { request in
            try await set(undone: false, request)
        }
    }

    /// Takes a watering back, or restores it, once for each key: a phone that says late what was said before does not
    /// undo what was restored meanwhile.
    private func set(undone: Bool, _ request: APIRequest) async throws -> APIResponse<JSON<WateringResponse>> {
        let household = try request.member.household
        let (plant, id) = (try request.path("id"), try request.path("watering"))
        let (people, language) = (try await plants.names(household: household), request.language)
        return try await request.idempotently { db in
            let (record, watering) = try plants.set(
                undone: undone, watering: id, ofPlant: plant, household: household, db)
            plants.publish(record, after: db)
            return try .json(WateringResponse(watering, people: people, in: language)).naming(watering.person)
        }
    }
}

private struct WateringInput: Decodable {
    var at: Int64?
    var person: String?
}

extension Plants {
    /// The greatest distance between a watering that was noted and the rise that it made, milliseconds.
    private static let sameWatering: Int64 = 2 * 3_600_000

    /// The time before a plant was added in which somebody may say to have watered it, milliseconds: for what is
    /// remembered of the days before. A phone whose clock is years behind says something else.
    private static let before: Int64 = 31 * 86_400_000

    /// The most waterings of a plant that a child's profile may note in a day, with what others noted: nobody waters
    /// one so often, and a finger that does not stop would fill the log. An adult is not held up.
    static let mostNotesADay = 12
    private static let day: Int64 = 86_400_000

    /// Notes that somebody watered a plant.
    @discardableResult
    func water(_ id: String, at time: Int64?, person: String?, household: String) async throws -> WateringRecord {
        try await hub.database.pool.write { db in
            try water(id, at: time, person: person, household: household, db)
        }
    }

    /// Notes that somebody watered a plant. The same person's two taps in a minute are one. Virtual sensors feel it and
    /// pages hear of it once it is stored.
    ///
    /// - Parameters:
    ///   - time: when, UTC milliseconds; nil is now. It may be noted days later.
    ///   - person: nil for somebody who has moved out.
    ///   - mostADay: notes of one plant within twelve hours before and after; nil for no limit.
    func water(
        _ id: String, at time: Int64?, person: String?, household: String, mostADay: Int? = nil, _ db: Database
    ) throws -> WateringRecord {
        let now = hub.clock.now()
        let at = time ?? now
        let plant = try db.plant(id, household: household)
        guard at <= now + SensorMessage.lead else {
            throw Problem.field(
                "at", "This watering lies in the future. Look at the clock of the device that noted it.")
        }
        guard at >= max(plant.createdAt - Self.before, SensorMessage.earliest) else {
            throw Problem.field(
                "at",
                "This watering lies more than a month before \(plant.name) was added. Look at the clock of the device that noted it."
            )
        }
        let near = try db.standingWaterings(ofPlant: plant.id, from: at - Self.sameWatering, to: at + Self.sameWatering)
        if let twin = near.first(where: { $0.by == .hand && $0.person == person && abs($0.at - at) < 60_000 }) {
            publish(plant, after: db)
            return twin
        }
        // The sensor was quicker: now it is known who did it.
        if var seen = near.first(where: { $0.by == .sensor }) {
            seen.by = .hand
            seen.person = person
            try seen.update(db)
            publish(plant, after: db)
            return seen
        }
        if let mostADay {
            // Those that were taken back are in the log, too.
            let noted = try Int.fetchOne(
                db,
                cached: """
                    SELECT count(*) FROM watering WHERE plant = ? AND "by" = 'hand' AND at > ? AND at <= ?
                    """, arguments: [plant.id, at - Self.day / 2, at + Self.day / 2])
            guard (noted ?? 0) < mostADay else {
                throw Problem(
                    .conflict, "Enough for a day",
                    "\(plant.name) has \(mostADay) waterings noted around that time. An adult can note more.",
                    field: "at")
            }
        }
        let watering = WateringRecord(
            id: Secret.identifier(), household: household, plant: plant.id, at: at, by: .hand, person: person,
            confidence: nil, levelBefore: nil, levelAfter: nil, undoneAt: nil)
        do {
            try watering.insert(db)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw Problem(.conflict, "Noted already", "A watering at that very moment is noted already.", field: "at")
        }
        let (virtual, devices) = (virtual, try virtualSensors(of: plant, feelingAt: at, db))
        db.afterCommit { for device in devices { virtual.water(device, at: at) } }
        publish(plant, after: db)
        return watering
    }

    /// The virtual sensors of a plant that feel a watering: what one has measured since long ago does not change any more.
    func virtualSensors(of plant: PlantRecord, feelingAt at: Int64, _ db: Database) throws -> [String] {
        guard hub.clock.now() - at < Self.sameWatering else { return [] }
        return try db.sensors(ofPlant: plant.id).map(\.device).filter(\.isVirtual).map(\.id)
    }

    /// Takes a watering back, or puts it into the log again. Who calls publishes it.
    func set(undone: Bool, watering id: String, ofPlant plant: String, household: String, _ db: Database) throws -> (
        plant: PlantRecord, watering: WateringRecord
    ) {
        let record = try db.plant(plant, household: household)
        guard var watering = try WateringRecord.fetchOne(db, key: id), watering.plant == record.id else {
            throw Problem.notFound("There is no watering here. It may have been removed.")
        }
        watering.undoneAt = undone ? hub.clock.now() : nil
        try watering.update(db)
        return (record, watering)
    }
}
