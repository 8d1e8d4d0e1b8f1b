import Foundation
import GRDB
import HTTPTypes
import HubKit
import NIOCore
import PlantsEngine
import Storage

/// The routes to the pictures of a plant: each is an entry of its log, with or without words.
struct PhotoRoutes: Sendable {
    let plants: Plants

    func add(to routes: Routes) {
        routes.post(
            "/api/plants/{id}/photos", .member,
            "Stores a picture of a plant, JPEG, PNG or WebP, as an entry of its log. Takes an Idempotency-Key.",
            query: [.at, .noteBytes], media: "application/octet-stream"
        ) { request in
            let member = try request.member
            let id = try request.path("id")
            let at = try request.query(.at).map { text in
                guard let at = Int64(text) else {
                    throw Problem.field("at", "The time of a picture is milliseconds since 1970.")
                }
                return at
            }
            let noteBytes = try request.query(.noteBytes).map { text in
                guard let count = Int(text), (0...CareInput.longestNote * 4).contains(count) else {
                    throw Problem.field("note", "A note has at most \(CareInput.longestNote) characters.")
                }
                return count
            }
            var body = try await request.bytes(
                upTo: Photo.mostBytes + (noteBytes ?? 0),
                otherwise: Problem(
                    .contentTooLarge, "Too large",
                    "The hub takes pictures of at most \(Photo.mostBytes >> 20) MB. Nothing was stored.",
                    field: "file"))
            var note: String?
            if let noteBytes {
                guard let words = body.readSlice(length: noteBytes) else {
                    throw Problem.field("file", "The end of this picture is missing. Take it again, or choose another.")
                }
                note = String(buffer: words).withoutUnseenCharacters
            }
            let photo = try Photo(Array(buffer: body))
            let input = CareInput(what: CareRecord.What.note.rawValue, note: note, at: at)
            let people = try await plants.names(household: member.household)
            return try await request.idempotently { db in
                let (plant, entry) = try plants.note(
                    input, photo, of: id, person: member.profile.id, household: member.household,
                    mostADay: member.profile.role == .child ? Plants.mostNotesADay : nil, db)
                plants.publish(plant, after: db)
                return try APIResponse.created(CareResponse(entry, people: people, hasPhoto: true)).naming(entry.person)
            }
        }
        routes.get("/api/plants/{id}/photos/{entry}", .member, "The picture of an entry.") { request in
            let household = try request.member.household
            let (id, entry) = (try request.path("id"), try request.path("entry"))
            // Asked about each time, so that it is gone where it was removed or somebody has signed out.
            let tag = "\"\(entry)\""
            let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, no-cache"]
            let isKnown = request.header(.ifNoneMatch)?.contains(tag) ?? false
            let (media, bytes) = try await request.hub.database.pool.read { db -> (PhotoMedia, Data?) in
                let plant = try db.plant(id, household: household)
                guard
                    let row = try Row.fetchOne(
                        db,
                        cached: """
                            SELECT type, bytes FROM plant_photo JOIN plant_care ON plant_care.id = entry
                            WHERE entry = ? AND plant = ? AND undone_at IS NULL
                            """, arguments: [entry, plant.id])
                else { throw Problem.notFound("There is no picture here. It may have been removed.") }
                // A picture never changes: who has it is told so, and the bytes are not read.
                let bytes: Data? = isKnown ? nil : row["bytes"]
                return (PhotoMedia(rawValue: row["type"]) ?? .jpeg, bytes)
            }
            guard let bytes else { return APIResponse<File<PhotoMedia>>.unchanged(headers: headers) }
            return .file(ByteBuffer(bytes: bytes), media, headers: headers)
        }
    }
}

extension Plants {
    /// Notes a picture of a plant.
    func note(
        _ input: CareInput, _ photo: Photo, of id: String, person: String?, household: String, mostADay: Int?,
        _ db: Database
    ) throws -> (plant: PlantRecord, entry: CareRecord) {
        let plant = try db.plant(id, household: household)
        let count = try db.photoCount(ofPlant: plant.id)
        // What was removed takes room until it is deleted, and is the first to give it.
        guard try count < Photo.mostOfAPlant || db.deleteFirstRemovedPhoto(ofPlant: plant.id) else {
            throw Problem(
                .conflict, "No room",
                "There are \(count) pictures of \(plant.name), and no room for more. Remove one. Nothing was stored.")
        }
        let noted = try note(
            input, of: id, person: person, household: household, mostADay: mostADay, hasPhoto: true, db)
        try db.execute(
            sql: "INSERT INTO plant_photo(entry, household, type, bytes) VALUES (?, ?, ?, ?)",
            arguments: [noted.entry.id, household, photo.media.rawValue, Data(photo.bytes)])
        return noted
    }
}

extension QueryParameter {
    fileprivate static let at = QueryParameter("at", "When it was taken, UTC milliseconds; now where it is left out.")
    fileprivate static let noteBytes = QueryParameter(
        "noteBytes", "So many bytes at the beginning of the body are a few words about it, UTF-8. The picture follows.")
}
