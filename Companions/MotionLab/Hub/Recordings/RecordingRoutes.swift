import Foundation
import GRDB
import HubKit
import MotionLabEngine
import NIOCore
import Storage

/// The routes by which recordings are listed, named, annotated and taken away as files.
struct RecordingRoutes: Sendable {
    let hub: HubContext

    /// The limits of lists, annotations and files.
    struct Limits {
        /// The most recordings of one list.
        var listed = 200
        /// The most annotations of one recording that people wrote afterwards.
        var annotations = 1_000
        /// The most samples of a recording that a page is given as a file; the command has no limit.
        var exportedSamples = 1_000_000
    }

    private static let limits = Limits()

    private struct ListResponse: Codable {
        /// The newest first.
        var recordings: [RecordingResponse]
        /// The time to ask for `before`, where there are more.
        var next: Int64?
    }

    private struct NameInput: Decodable { var name: String }

    private struct AnnotationInput: Decodable {
        /// UTC, by the phone's clock.
        var atMicroseconds: Int64
        var text: String
    }

    func add(to routes: Routes) {
        routes.get(
            "/api/lab/recordings", .member,
            "The recordings of phones that are the household’s, and of everybody whose recordings the asker may look at, the newest first; of one `device`, one `person` or one `class` alone where they are named.",
            query: [.device, .person, .inClass, .before]
        ) { request in
            let member = try request.member
            let (device, person, inClass) = (request.query(.device), request.query(.person), request.query(.inClass))
            let before = try request.query(.before).map { text in
                guard let time = Int64(text) else {
                    throw Problem.field("before", "A time is a number of microseconds since 1970.")
                }
                return time
            }
            let language = request.language
            let list = try await hub.database.pool.read { db in
                if let person { _ = try Subject.read(person, by: member, hub, now: hub.clock.now(), db) }
                let (found, next) = try Self.list(
                    for: member, hub, device: device, person: person, inClass: inClass, before: before ?? .max, db)
                return ListResponse(recordings: try RecordingResponse.all(found, in: language, db), next: next)
            }
            return try .json(list)
        }
        routes.get("/api/lab/recordings/{id}", .member, "A recording, with its sensors, rates and notes.") { request in
            try .json(try await Self.response(request))
        }
        routes.patch(
            "/api/lab/recordings/{id}", .member, "Gives a recording another name.", takes: NameInput.self
        ) { request, input in
            let id = try request.path("id")
            let member = try request.member
            let name = try Self.checked(input.name, "name", most: RecordingLimits.standard.nameBytes)
            try await hub.database.pool.write { db in
                let recording = try Self.recording(id, for: member, hub, db)
                try NameRecord(household: recording.household, recording: id, name: name).save(db)
                hub.live.publish(
                    changed: "recording", id: id, of: MotionLab.self, household: member.household, after: db)
            }
            return try .json(try await Self.response(request))
        }
        routes.post(
            "/api/lab/recordings/{id}/annotations", .member, "Writes something down at a time of a recording.",
            takes: AnnotationInput.self
        ) { request, input in
            let id = try request.path("id")
            let member = try request.member
            let text = try Self.checked(input.text, "text", most: RecordingLimits.standard.annotationBytes)
            try await hub.database.pool.write { db in
                let recording = try Self.recording(id, for: member, hub, db)
                try Self.annotate(recording, at: input.atMicroseconds, text, db)
                hub.live.publish(
                    changed: "recording", id: id, of: MotionLab.self, household: member.household, after: db)
            }
            return try .created(try await Self.response(request))
        }
        routes.get(
            "/api/lab/recordings/{id}/export", .member,
            "A recording as a file: a `csv` table of one row a time, `json`, or a `zip` archive for Jupyter with a table of each sensor, the units and a notebook.",
            query: [.format, TableForm.query]
        ) { request in
            guard let format = RecordingExport.Format(rawValue: request.query(.format) ?? "csv") else {
                throw Problem.field("format", "A file is csv, json or zip.")
            }
            let form = try request.tableForm()
            let id = try request.path("id")
            let member = try request.member
            return try await request.calculated { db in
                let recording = try Self.recording(id, for: member, hub, db)
                guard recording.samples <= Self.limits.exportedSamples else {
                    throw Problem(
                        .contentTooLarge, "Too large",
                        "This recording has \(recording.samples) samples, and a page is given \(Self.limits.exportedSamples) at most. Take it away with `tandem export recordings`."
                    )
                }
                return try StoredSamples(recording, db)
            } _: { samples in
                var bytes = ByteBuffer()
                var export = RecordingExport(format, kinds: samples.kinds, form: form) { bytes.writeBytes($0) }
                try export.add(try samples.read())
                try export.finish()
                return .download(bytes, format, named: "recording-\(id.prefix(8)).\(format.rawValue)")
            }
        }
    }

    // MARK: - What is stored

    static func list(
        for member: Member, _ hub: HubContext, device: String?, person: String?, inClass: String?, before: Int64,
        most: Int = limits.listed, _ db: Database
    ) throws -> (recordings: [StoredRecording], next: Int64?) {
        let now = hub.clock.now()
        let people = try PersonRecord.fetchAll(
            db, cached: "SELECT * FROM person WHERE household = ?", arguments: [member.household])
        let isAdult = hub.policy.allows(.person(member), .adult, now: now)
        let readable = Set(people.filter { hub.policy.allowsViewing(member, of: $0, now: now) }.map(\.id))
        let rows = try StoredRecording.fetchCursor(
            db,
            sql: """
                SELECT * FROM lab_recording WHERE household = :household AND start_microseconds < :before
                AND (:device IS NULL OR device = :device) AND (:person IS NULL OR person = :person)
                AND (:class IS NULL OR id IN
                    (SELECT recording FROM lab_guest_recording WHERE household = :household AND in_class = :class))
                AND (:adult OR origin <> 'guest')
                ORDER BY start_microseconds DESC, id
                """,
            arguments: [
                "household": member.household, "before": before, "device": device, "person": person,
                "class": inClass, "adult": isAdult,
            ] as StatementArguments)
        var found: [StoredRecording] = []
        while found.count <= most, let row = try rows.next() {
            if row.person.map({ readable.contains($0) }) ?? true { found.append(row) }
        }
        let next = found.count > most ? found[most - 1].startMicroseconds : nil
        return (Array(found.prefix(most)), next)
    }

    /// A recording that the asker may look at, and name.
    ///
    /// - Throws: a 404 problem for one that there is not, a 403 problem for somebody else's.
    static func recording(_ id: String, for member: Member, _ hub: HubContext, _ db: Database) throws -> StoredRecording
    {
        guard let recording = try StoredRecording.find(id, household: member.household, db) else {
            throw Problem.notFound("There is no recording here. It may have been removed.")
        }
        // Whose they are nobody knows but the adult who opened the class.
        if recording.origin == .guest { try hub.policy.checkAdult(member, now: hub.clock.now()) }
        if let person = recording.person { _ = try Subject.read(person, by: member, hub, now: hub.clock.now(), db) }
        return recording
    }

    private static func response(_ request: APIRequest) async throws -> RecordingResponse {
        let (hub, member, language) = (request.hub, try request.member, request.language)
        let id = try request.path("id")
        let (stored, content) = try await hub.database.pool.read { db -> (StoredRecording, [UInt8]?) in
            let found = try recording(id, for: member, hub, db)
            return (found, try found.content(db))
        }
        // Read while no reader of the database is held.
        let own = content.map { StoredSamples.annotations(ofContent: $0) } ?? []
        var found = try await hub.database.pool.read { db in
            try RecordingResponse.all([stored], in: language, db)
        }
        // As many as were asked for.
        found[0].add(own)
        return found[0]
    }

    private static func annotate(_ recording: StoredRecording, at time: Int64, _ text: String, _ db: Database) throws {
        guard (recording.startMicroseconds...recording.endMicroseconds).contains(time) else {
            throw Problem.field(
                "atMicroseconds",
                "A note belongs to a time of the recording, from \(recording.startMicroseconds) to \(recording.endMicroseconds)."
            )
        }
        let count =
            try Int.fetchOne(
                db, cached: "SELECT count(*) FROM lab_annotation WHERE household = ? AND recording = ?",
                arguments: [recording.household, recording.id]) ?? 0
        guard count < limits.annotations else {
            throw Problem.field("text", "A recording has at most \(limits.annotations) notes.")
        }
        try AnnotationRecord(
            household: recording.household, recording: recording.id, atMicroseconds: time, text: text
        ).insert(db, onConflict: .ignore)
    }

    private static func checked(_ text: String, _ field: String, most: Int) throws(Problem) -> String {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.count <= most else {
            throw .field(field, "Write something, of at most \(most) bytes.")
        }
        return text
    }
}

extension QueryParameter {
    static let device = QueryParameter("device", "The id of a phone; of all where it is left out.")
    static let person = QueryParameter("person", "The id of somebody of the household; of all where it is left out.")
    static let inClass = QueryParameter(
        "class", "The id of a class, whose guests recorded; of all where it is left out.")
    fileprivate static let before = QueryParameter(
        "before", "What began before this, UTC microseconds; the newest where it is left out.")
    fileprivate static let format = QueryParameter(
        "format", "The kind of file; csv where it is left out.", values: RecordingExport.Format.allCases.map(\.rawValue)
    )
}
