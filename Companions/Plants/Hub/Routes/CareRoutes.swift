import GRDB
import HubKit
import PlantsEngine
import Storage

/// The routes to what is done for a plant besides watering: fertilising, repotting, notes.
struct CareRoutes: Sendable {
    let plants: Plants

    /// The most entries that a page gets: years of a plant's life.
    private static let most = 200

    func add(to routes: Routes) {
        routes.get("/api/plants/{id}/care", .member, "What was done for a plant and noted of it, the latest first.") {
            request in
            let household = try request.member.household
            let id = try request.path("id")
            let people = try await plants.names(household: household)
            return try .json(
                try await request.hub.database.pool.read { db in
                    let entries = try db.care(ofPlant: try db.plant(id, household: household).id, most: Self.most)
                    let photos = try db.photos(ofEntries: entries.map(\.id))
                    return entries.map { CareResponse($0, people: people, hasPhoto: photos.contains($0.id)) }
                })
        }
        routes.post(
            "/api/plants/{id}/care", .member,
            "Notes that a plant was fertilised or repotted, or something about it. Takes an Idempotency-Key.",
            takes: CareInput.self
        ) { request, input in
            let member = try request.member
            let id = try request.path("id")
            return try await request.idempotently { db in
                let people = try PersonRecord.filter(sql: "household = ?", arguments: [member.household]).fetchAll(db)
                let names = Dictionary(people.map { ($0.id, $0.name) }) { first, _ in first }
                let person = input.person.map { names[$0] == nil ? nil : $0 } ?? member.profile.id
                if let named = people.first(where: { $0.id == person }) {
                    try request.hub.policy.checkName(member, of: named)
                }
                let (plant, entry) = try plants.note(
                    input, of: id, person: person, household: member.household,
                    mostADay: member.profile.role == .child ? Plants.mostNotesADay : nil, db)
                plants.publish(plant, after: db)
                return try APIResponse.created(CareResponse(entry, people: names)).naming(entry.person)
            }
        }
        routes.delete(
            "/api/plants/{id}/care/{entry}", .member, "Takes an entry back. Takes an Idempotency-Key."
        ) { request in
            try await set(undone: true, request)
        }
        routes.post(
            "/api/plants/{id}/care/{entry}/restore", .member, "Puts an entry back. Takes an Idempotency-Key."
        ) { request in
            try await set(undone: false, request)
        }
    }

    private func set(undone: Bool, _ request: APIRequest) async throws -> APIResponse<JSON<CareResponse>> {
        let household = try request.member.household
        let (id, entry) = (try request.path("id"), try request.path("entry"))
        let people = try await plants.names(household: household)
        return try await request.idempotently { db in
            let plant = try db.plant(id, household: household)
            guard var record = try CareRecord.fetchOne(db, key: entry), record.plant == plant.id else {
                throw Problem.notFound("There is no such entry here. It may have been removed.")
            }
            record.undoneAt = undone ? plants.hub.clock.now() : nil
            try record.update(db)
            let hasPhoto = try db.photos(ofEntries: [record.id]).contains(record.id)
            plants.publish(plant, after: db)
            return try .json(CareResponse(record, people: people, hasPhoto: hasPhoto)).naming(record.person)
        }
    }
}

extension Plants {
    /// Notes what was done for a plant. The same person's two taps in a minute are one.
    /// - Parameter hasPhoto: whether the entry is to have a picture.
    func note(
        _ input: CareInput, of id: String, person: String?, household: String, mostADay: Int?, hasPhoto: Bool = false,
        _ db: Database
    ) throws -> (plant: PlantRecord, entry: CareRecord) {
        let (what, note) = try input.checked(hasPhoto: hasPhoto)
        let now = hub.clock.now()
        let at = input.at ?? now
        let plant = try db.plant(id, household: household)
        guard at <= now + SensorMessage.lead else {
            throw Problem.field("at", "This lies in the future. Look at the clock of the device that noted it.")
        }
        guard at >= SensorMessage.earliest else {
            throw Problem.field("at", "This lies too far back. Look at the clock of the device that noted it.")
        }
        let day: Int64 = 86_400_000
        let near = try CareRecord.fetchAll(
            db, cached: "SELECT * FROM plant_care WHERE plant = ? AND at > ? AND at <= ?",
            arguments: [plant.id, at - day / 2, at + day / 2])
        // Two pictures of a minute are two.
        if !hasPhoto,
            let twin = near.first(where: {
                $0.undoneAt == nil && $0.what == what && $0.note == note && $0.person == person
                    && abs($0.at - at) < 60_000
            })
        {
            return (plant, twin)
        }
        if let mostADay, near.count >= mostADay {
            throw Problem(
                .conflict, "Enough for a day",
                "\(plant.name) has \(mostADay) entries around that time. An adult can note more.", field: "at")
        }
        let entry = CareRecord(
            id: Secret.identifier(), household: household, plant: plant.id, at: at, what: what, note: note,
            person: person, undoneAt: nil)
        try entry.insert(db)
        return (plant, entry)
    }
}

/// An entry as pages get it.
struct CareResponse: Codable {
    var id: String
    var at: Int64
    var what: CareRecord.What
    var note: String
    var person: String?
    var undone: Bool
    /// Whether there is a picture at `/api/plants/{id}/photos/{entry}`.
    var photo: Bool

    /// Answers an entry of care.
    ///
    /// - Parameter people: names by id.
    init(_ record: CareRecord, people: [String: String], hasPhoto: Bool = false) {
        (id, at, what, note) = (record.id, record.at, record.what, record.note)
        person = record.person.flatMap { people[$0] }
        undone = record.undoneAt != nil
        photo = hasPhoto
    }
}
