import GRDB
import HubKit
import NIOCore
import Storage

/// The original's file and tables, in and out of a page.
struct FileRoutes: Sendable {
    let drums: Drums

    func add(to routes: Routes) {
        let hub = drums.hub
        // What a file unfolds to is several times its bytes.
        let imports = AsyncSemaphore(most: 1)
        routes.post(
            "/api/drums/import", .member,
            "Takes over sessions from the original’s sessiondata.plist, XML or binary, as those of a `person`, each once; says which were refused and why. Takes an Idempotency-Key.",
            query: [.person], media: "application/octet-stream"
        ) { request in
            let content = Array(
                buffer: try await request.bytes(
                    upTo: SessionImport.longestFromPage,
                    otherwise: Problem(
                        .contentTooLarge, "Too large",
                        "This file is larger than \(SessionImport.longestFromPage >> 20) MB. Import it with `tandem import drums`. Nothing was stored.",
                        field: "file")))
            let member = try request.member
            let name = request.query(.person)
            // Reading a file takes memory and time, which only who may import gets, and no transaction waits for.
            let owner = try await hub.database.pool.read { db in try Self.owner(name, for: member, hub, db) }
            let report = try await imports.withTurn {
                let sessions: SessionImport
                do throws(SessionDataFile.Failure) {
                    sessions = try SessionImport(content)
                } catch {
                    throw Problem.field("file", detail: error.message)
                }
                guard sessions.count <= SessionImport.mostFromPage else {
                    throw Problem.field(
                        "file",
                        "This file has \(sessions.count) sessions, and a page imports at most \(SessionImport.mostFromPage). Import it with `tandem import drums`. Nothing was stored."
                    )
                }
                let now = hub.clock.now()
                let prepared = try await sessions.prepared(for: owner.person, owner.household, now: now, hub.database)
                return try await prepared.stored(in: hub.database, now: now) { db in
                    try Self.owner(name, for: member, hub, db)
                }
            }
            return try await request.idempotently { db in
                let person = try Self.owner(name, for: member, hub, db).person
                if report.stored > 0 {
                    hub.live.publish(
                        changed: "session", id: person.id, of: Drums.self, household: person.household, after: db)
                }
                return try .json(ImportResponse(report, request)).naming(person.id)
            }
        }
        routes.get(
            "/api/drums/export", .member,
            "The sessions of a `person` as a file: `format` plist (`binary=1` for the binary form), csv or json.",
            query: [.person, .format, .binary, TableForm.query]
        ) { request in
            guard let format = ExportedDrums.Format(rawValue: request.query(.format) ?? "json") else {
                throw Problem.field("format", "A file is plist, csv or json.")
            }
            let isBinary = request.query(.binary) == "1"
            let form = try request.tableForm()
            let now = hub.clock.now()
            return try await request.calculated(from: try request.owner()) { person, household in
                let file = try ExportedDrums(person: person, household: household).file(
                    format, isBinary: isBinary, form: form, now: now, in: hub.database)
                return .download(ByteBuffer(bytes: file), format, named: format.fileName)
            }
        }
    }

    private static func owner(_ name: String?, for member: Member, _ hub: HubContext, _ db: Database) throws
        -> (person: PersonRecord, household: HouseholdRecord)
    {
        guard let name else {
            throw Problem.field(
                "person", "Say whose sessions these are: `person` is the id of somebody of the household.")
        }
        guard let person = try PersonRecord.fetchOne(db, key: name), person.household == member.household else {
            throw Problem.notFound("There is no person here. It may have been removed.")
        }
        guard hub.policy.allowsSession(member, of: person) else {
            throw Problem(.forbidden, "Somebody else’s", "An adult of the household can import for \(person.name).")
        }
        guard let household = try HouseholdRecord.fetchOne(db, key: member.household) else {
            throw Problem.notFound("There is no household here. It may have been removed.")
        }
        return (person, household)
    }
}
