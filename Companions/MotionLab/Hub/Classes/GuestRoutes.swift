import Foundation
import GRDB
import HubKit
import MotionLabEngine
import NIOCore
import Storage
import Wire

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
        routes.on(
            .head, "/api/lab/guest/runs/{run}", .anyone,
            "How much of the guest’s own recording of a run is stored: `Upload-Offset` bytes, whose CRC-32 is `Upload-Checksum`; `Upload-Complete: ?1` where it is whole."
        ) { request in
            let asker = try await GuestRequest(request, classes)
            let run = try Self.run(of: request, asker)
            let (position, isWhole) = try await hub.database.pool.read { db in
                try Self.position(asker, run: run, db)
            }
            return APIResponse<NoContent>.nothing.at(position, isComplete: isWhole)
        }
        routes.on(
            .patch, "/api/lab/guest/runs/{run}", .anyone,
            "Appends to the guest’s own recording of a run at `Upload-Offset`; behind 0, `Upload-Checksum` is the CRC-32 of all bytes before, 8 hexadecimal digits. With `Upload-Complete: ?1` it is whole. Its bytes name the recording and the guest as the state says them. 409 with `Upload-Offset` where the hub has another number of bytes, or others, or has closed it.",
            media: "application/partial-upload"
        ) { request in
            let asker = try await GuestRequest(request, classes)
            let run = try Self.run(of: request, asker)
            let chunk = try await UploadedChunk(request, upTo: classes.limits.pieceBytes)
            do {
                return try await Self.append(chunk, run, asker, classes)
            } catch let conflict as UploadConflict {
                return try conflict.response(request)
            }
        }
        routes.delete("/api/lab/guest", .anyone, "Leaves the class. What was sent stays.") { request in
            let asker = try await GuestRequest(request, classes)
            try await hub.database.pool.write { db in
                try db.execute(
                    cached: "UPDATE lab_guest SET token_hash = NULL WHERE id = ?", arguments: [asker.guest.id])
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
                db, cached: "SELECT * FROM lab_class WHERE code_hash = ? AND code_ends_at > ? AND ends_at > ?",
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
                cached:
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

    private static func run(of request: APIRequest, _ asker: GuestRequest) throws -> Int {
        guard let run = Int(try request.path("run")), run > 0, run <= asker.found.run else {
            throw Problem.notFound("The class has not had this run.")
        }
        return run
    }

    private static func position(_ asker: GuestRequest, run: Int, _ db: Database) throws -> (UploadPosition, Bool) {
        let id = GuestRequest.recording(asker.guest.id, run: run)
        guard let whole = try GuestRecordingRecord.find(id, household: asker.found.household, db) else {
            return (try GuestChunkRecord.position(asker.guest.id, run: run, db), false)
        }
        let position = UploadPosition(offset: whole.content.count, checksum: crc32(Array(whole.content)[...]))
        return (position, true)
    }

    private static func append(_ chunk: UploadedChunk, _ run: Int, _ asker: GuestRequest, _ classes: Classes)
        async throws -> APIResponse<JSON<SentResponse>>
    {
        let (hub, guest) = (classes.hub, asker.guest.id)
        let id = GuestRequest.recording(guest, run: run)
        let limits = classes.limits
        let most = (bytes: limits.bytes(of: asker.found), samples: limits.samples(of: asker.found))
        if chunk.offset == 0 { try checkBeginning(chunk.bytes, id, asker) }
        let now = hub.clock.now()
        let append = { @Sendable (db: Database) throws -> (UploadPosition, isWhole: Bool, [UInt8]?) in
            var (position, isWhole) = try Self.position(asker, run: run, db)
            let rest = try position.rest(of: chunk, or: Self.otherBytes) { range in
                try Array(Self.bytes(asker, run: run, db).dropFirst(range.lowerBound).prefix(range.count))
            }
            guard !isWhole else {
                guard rest == nil else {
                    throw UploadConflict(reason: .over, offset: position.offset, problem: Self.closed)
                }
                return (position, true, nil)
            }
            if let rest {
                position = UploadPosition(
                    offset: position.offset + rest.count, checksum: crc32(rest, after: position.checksum))
                guard position.offset <= most.bytes else { throw Self.moreThanAsked }
                try classes.count(rest.count, of: asker.found.id, db)
                try GuestChunkRecord(
                    guest: guest, run: run, start: position.offset - rest.count, content: Data(rest), at: now,
                    checksum: position.checksum
                ).insert(db)
            }
            return (position, false, chunk.isComplete ? try GuestChunkRecord.bytes(guest, run: run, db) : nil)
        }
        let position: UploadPosition
        let isWhole: Bool
        let content: [UInt8]?
        do {
            (position, isWhole, content) = try await hub.database.pool.write(append)
        } catch {
            classes.countAnew(asker.found.id)
            throw error
        }
        guard let content else {
            return try .json(SentResponse(recording: isWhole ? id : nil)).at(position)
        }
        // Read outside of the database's writer: it may take its time. What cannot be read whole stays until it is closed as
        // far as it can.
        guard crc32(content[...]) == position.checksum else { throw Self.otherBytes }
        let read: ReadRecording
        do throws(RecordingError) {
            read = try ReadRecording(content, mostSamples: most.samples)
        } catch {
            throw error == .tooLong
                ? Self.moreThanAsked : Problem.field("recording", detail: RecordingText.refused(error))
        }
        try await classes.store(read, of: guest, run: run)
        return try .json(SentResponse(recording: id)).at(position)
    }

    private static func bytes(_ asker: GuestRequest, run: Int, _ db: Database) throws -> [UInt8] {
        let id = GuestRequest.recording(asker.guest.id, run: run)
        if let whole = try GuestRecordingRecord.find(id, household: asker.found.household, db) {
            return Array(whole.content)
        }
        return try GuestChunkRecord.bytes(asker.guest.id, run: run, db)
    }

    /// The refusal of what comes after a recording was closed, in words.
    private static let closed = Problem(
        .conflict, "Over already",
        "This recording was closed while the phone was away. What came before is kept.", field: "recording")

    /// The refusal of bytes that differ from those that came before, in words.
    private static let otherBytes = Problem(
        .conflict, "Other bytes", "The hub has other bytes of this recording, and they stay as they are.",
        field: "recording")

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
}
