import Foundation
import GRDB
import HubKit
import MotionLabEngine
import NIOCore
import Storage

/// The routes of a class's guests, who may do this and no more: join it with its code, see how it stands, align their
/// clock, send their own recording of its runs, and leave. Nothing else of the hub knows what their token is.
struct GuestRoutes: Sendable {
    let classes: Classes

    private struct JoinInput: Decodable {
        var code: String
        /// The name as others shall see it; nothing for a number alone.
        var name: String?
    }

    func add(to routes: Routes) {
        let classes = classes
        let hub = classes.hub
        routes.post(
            "/api/lab/guest", .anyone,
            "Joins a class with its code, without an account. The token is for the routes below this one, and for nothing else.",
            takes: JoinInput.self
        ) { request, input in
            try .created(try await Self.join(input, request, classes))
        }
        routes.get(
            "/api/lab/guest", .anyone,
            "How the guest’s class stands. With the `seen` version the answer waits some seconds for news. A phone whose sensors run says that it is `ready`.",
            query: [.seen, .ready, .asked]
        ) { request in
            let asker = try await GuestRequest(request, classes)
            let asked = request.query(.asked).flatMap { Int64($0) } ?? hub.clock.now()
            if let ready = request.query(.ready), classes.note(asker.guest.id, isReady: ready == "1", saidAt: asked) {
                // Whoever leads the class sees it; the other phones have nothing to do with it.
                classes.publishChange(of: asker.found.id, household: asker.found.household)
            }
            let seen = request.query(.seen).flatMap { Int($0) }
            // Listened to before it is looked at: what changes in between is heard.
            let news = classes.news(for: asker.guest.id)
            defer { classes.stopWaiting(asker.guest.id) }
            var found = try await Self.current(asker.found.id, classes)
            if found.version == seen, found.isOpen(hub.clock.now()) {
                await classes.wait(news)
                found = try await GuestRequest(request, classes).found
            }
            let (guest, record) = (asker.guest, found)
            return try .json(
                try await hub.database.pool.read { db in try GuestStateResponse(guest, record, classes, db) })
        }
        routes.get(
            "/api/lab/guest/clock", .anyone,
            "The hub’s clock, for a guest’s phone that finds out how its own stands to it."
        ) { request in
            let received = hub.clock.now() * 1_000
            _ = try await GuestRequest(request, classes)
            return try .json(
                ClockResponse(receivedMicroseconds: received, answeredMicroseconds: hub.clock.now() * 1_000))
        }
        routes.post(
            "/api/lab/guest/runs/{run}", .anyone,
            "Appends to the guest’s own recording of a run, from `offset` on: the answer says how much is stored. With `complete` it is whole. Its bytes name the recording and the guest as the state says them.",
            query: [.offset, .complete], media: "application/octet-stream"
        ) { request in
            let asker = try await GuestRequest(request, classes)
            let limits = classes.limits
            guard let run = Int(try request.path("run")), run > 0, run <= asker.found.run else {
                throw Problem.notFound("The class has not had this run.")
            }
            let offset = request.query(.offset).flatMap { Int($0) } ?? -1
            guard offset >= 0, offset <= limits.recordingBytes else {
                throw Problem.field("offset", "Say from which byte on this is.")
            }
            let bytes = try await request.bytes(
                upTo: limits.pieceBytes,
                otherwise: Problem(
                    .contentTooLarge, "Too much",
                    "At most \(limits.pieceBytes) bytes are taken at once. Send smaller pieces."))
            return try .json(
                try await Self.append(
                    Array(buffer: bytes), at: offset, run, asker, isComplete: request.query(.complete) == "1", classes))
        }
        routes.delete("/api/lab/guest", .anyone, "Leaves the class. What was sent stays.") { request in
            let asker = try await GuestRequest(request, classes)
            try await hub.database.pool.write { db in
                try db.execute(sql: "UPDATE lab_guest SET token_hash = NULL WHERE id = ?", arguments: [asker.guest.id])
                db.afterCommit { classes.places.left(asker.guest.id, asker.found.id) }
                classes.publishChange(
                    of: asker.found.id, household: asker.found.household, guests: [asker.guest.id], after: db)
            }
            return .nothing
        }
    }

    // MARK: - Joining

    private static func join(_ input: JoinInput, _ request: APIRequest, _ classes: Classes) async throws
        -> JoinedClassResponse
    {
        let (hub, limits) = (classes.hub, classes.limits)
        let now = hub.clock.now()
        let hash = Secret.hash(input.code.trimmingCharacters(in: .whitespaces).lowercased())
        let asked = try await hub.database.pool.read { db in
            try ClassRecord.fetchOne(
                db, sql: "SELECT * FROM lab_class WHERE code_hash = ? AND code_ends_at > ? AND ends_at > ?",
                arguments: [hash, now, now])
        }
        guard let asked else {
            try classes.wrongCodes.count(request.source.address, now: now)
            throw Problem(
                .forbidden, "No such class",
                "This code opens no class, or not any more. Ask for the code that is on the screen now.", field: "code")
        }
        var name: String?
        if let given = input.name, !given.trimmingCharacters(in: .whitespaces).isEmpty {
            name = ClassText.name(given, limits)
            guard name != nil else {
                throw Problem.field("name", "Write a name of at most \(limits.nameBytes) bytes, or leave it out.")
            }
        }
        let (id, token) = (Secret.identifier(), Secret.token())
        try classes.places.take(
            id, in: asked.id, code: hash.base64EncodedString(), from: request.source.address, now: now)
        let add = { @Sendable [name] (db: Database) throws -> GuestStateResponse in
            // It may have ended, or got another code, since.
            guard let found = try ClassRecord.fetchOne(db, key: asked.id), found.codeHash == hash, found.isOpen(now)
            else {
                throw Problem.notFound("There is no class here. It may have been removed.")
            }
            let row = try Row.fetchOne(
                db,
                sql:
                    "SELECT count(token_hash) AS here, coalesce(max(number), 0) AS last FROM lab_guest WHERE in_class = ?",
                arguments: [found.id])
            let (here, last) = (row?["here"] as Int? ?? 0, row?["last"] as Int? ?? 0)
            guard here < limits.guests, last < limits.joinedInAll else {
                throw Problem(
                    .conflict, "Class full", "At most \(limits.guests) phones join a class. Ask for another class.")
            }
            let guest = GuestRecord(
                id: id, inClass: found.id, number: last + 1, name: name,
                tokenHash: Secret.hash(token), joinedAt: now)
            try guest.insert(db)
            db.afterCommit { classes.saw(guest.id) }
            classes.publishChange(of: found.id, household: found.household, after: db)
            return try GuestStateResponse(guest, found, classes, db)
        }
        do {
            return JoinedClassResponse(token: token, state: try await hub.database.pool.write(add))
        } catch {
            classes.places.giveBack(id, of: asked.id)
            throw error
        }
    }

    private static func current(_ id: String, _ classes: Classes) async throws -> ClassRecord {
        let found = try await classes.hub.database.pool.read { db in try ClassRecord.fetchOne(db, key: id) }
        guard let found else { throw Problem.notFound("There is no class here. It may have been removed.") }
        return found
    }

    // MARK: - What is measured

    private static func append(
        _ bytes: [UInt8], at offset: Int, _ run: Int, _ asker: GuestRequest, isComplete: Bool, _ classes: Classes
    ) async throws -> SentResponse {
        let (hub, guest) = (classes.hub, asker.guest.id)
        let id = GuestRequest.recording(guest, run: run)
        let limits = classes.limits
        let most = (bytes: limits.bytes(of: asker.found), samples: limits.samples(of: asker.found))
        if offset == 0 { try checkBeginning(bytes, id, asker) }
        let now = hub.clock.now()
        let household = asker.found.household
        let append = { @Sendable (db: Database) throws -> (Int, [UInt8]?) in
            if let whole = try GuestRecordingRecord.find(id, household: household, db) {
                return (whole.content.count, nil)
            }
            let stored = try GuestChunkRecord.count(guest, run: run, db)
            guard offset <= stored else {
                throw Problem(
                    .conflict, "Something is missing",
                    "The hub has \(stored) bytes of this recording. Go on from there.",
                    field: "offset")
            }
            let rest = bytes.dropFirst(stored - offset)
            let total = stored + rest.count
            guard total <= most.bytes else { throw Self.moreThanAsked }
            if !rest.isEmpty {
                try classes.count(rest.count, of: asker.found.id, db)
                try GuestChunkRecord(guest: guest, run: run, start: stored, content: Data(rest), at: now).insert(db)
            }
            return (total, isComplete ? try GuestChunkRecord.bytes(guest, run: run, db) : nil)
        }
        let (count, content): (Int, [UInt8]?)
        do {
            (count, content) = try await hub.database.pool.write(append)
        } catch {
            classes.countAnew(asker.found.id)
            throw error
        }
        guard let content else {
            let isWhole = try await hub.database.pool.read { db in
                try GuestRecordingRecord.find(id, household: household, db) != nil
            }
            return SentResponse(storedBytes: count, recording: isWhole ? id : nil)
        }
        // Read outside of the database's writer: it may take its time. What cannot be read whole stays until it is closed as
        // far as it can.
        let sealed: [UInt8]
        do throws(RecordingError) {
            sealed = try RecordingReader.content(of: content, isComplete: true, mostSamples: most.samples)
        } catch {
            throw error == .tooLong
                ? Self.moreThanAsked : Problem.field("recording", detail: RecordingText.refused(error))
        }
        let read = try ReadRecording(sealed)
        try await classes.store(read, of: guest, run: run)
        return SentResponse(storedBytes: count, recording: id)
    }

    /// The refusal of what a class did not ask for, in words.
    private static let moreThanAsked = Problem(
        .contentTooLarge, "Too much",
        "This is more than the class asked for: so many seconds, values a second and sensors. What came before is kept."
    )

    /// Checks that a recording is the guest's own, and not another's or one of somebody of the household, and has no
    /// other sensors than the class wants.
    private static func checkBeginning(_ bytes: [UInt8], _ id: String, _ asker: GuestRequest) throws(Problem) {
        let guest = asker.guest.id
        let header: RecordingHeader
        do throws(RecordingError) {
            header = try RecordingReader(bytes, isComplete: false).header
        } catch {
            throw .field("recording", detail: RecordingText.refused(error))
        }
        guard SessionOrigin.name(of: header.id) == id, String(decoding: header.person, as: UTF8.self) == guest,
            header.device.isEmpty
        else { throw .field("recording", "This recording is another one than the class asked for. Join it again.") }
        guard header.streams.allSatisfy({ asker.found.sensors.contains("\($0.kind.name)") }) else {
            throw .field("recording", "This recording has a sensor that the class did not ask for. Join it again.")
        }
    }
}

extension QueryParameter {
    fileprivate static let seen = QueryParameter(
        "seen", "The version that the phone knows; the answer comes at once where it is left out.")
    fileprivate static let ready = QueryParameter(
        "ready", "Whether the phone’s sensors run, so that it begins with all others.", values: ["0", "1"])
    fileprivate static let asked = QueryParameter(
        "asked", "The time of the request by the phone’s own clock, UTC milliseconds: of what it says, the last holds.")
    fileprivate static let offset = QueryParameter(
        "offset", "Of the body’s first byte in the recording.", isRequired: true)
    fileprivate static let complete = QueryParameter(
        "complete", "Whether nothing more of it comes.", values: ["0", "1"])
}
