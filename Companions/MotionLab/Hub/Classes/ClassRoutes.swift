import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage

/// The routes by which an adult opens a class, lets its phones measure together, and ends it.
struct ClassRoutes: Sendable {
    let classes: Classes

    private struct OpenInput: Decodable {
        var name: String
        /// The slug of an experiment; nothing for none.
        var experiment: String?
        /// The sensors, as `SensorKind` names them.
        var sensors: [String]
        /// Samples a second of each; 50 where it is left out.
        var hertz: Double?
        /// The seconds after which a run ends by itself; 60 where it is left out.
        var seconds: Int?
        /// The minutes that the class is open; 60 where it is left out.
        var minutes: Int?
    }

    private struct ClassesResponse: Codable {
        /// The newest first.
        var classes: [ClassResponse]
    }

    func add(to routes: Routes) {
        let hub = classes.hub
        routes.post(
            "/api/lab/classes", .adult,
            "Opens a class for a time: whoever scans its QR code measures along, as a guest of it.",
            takes: OpenInput.self
        ) { request, input in
            let code = Secret.identifier(length: classes.limits.codeLength)
            let record = try Self.opened(input, code: code, household: try request.member.household, classes)
            let response = try await hub.database.pool.write { db in
                let open =
                    try Int.fetchOne(
                        db, cached: "SELECT count(*) FROM lab_class WHERE household = ? AND ends_at > ?",
                        arguments: [record.household, record.openedAt]) ?? 0
                guard open < classes.limits.openClasses else {
                    throw Problem(
                        .conflict, "Too many classes",
                        "At most \(classes.limits.openClasses) classes are open at once. End one first.")
                }
                try record.insert(db)
                classes.publishChange(of: record.id, household: record.household, after: db)
                return try ClassResponse(record, classes, db)
            }
            return try .created(Self.response(response, code, request))
        }
        routes.get("/api/lab/classes", .adult, "The classes of the household, open and past.") { request in
            let household = try request.member.household
            return try .json(
                try await hub.database.pool.read { db in
                    let found = try ClassRecord.fetchAll(
                        db, cached: "SELECT * FROM lab_class WHERE household = ? ORDER BY opened_at DESC LIMIT 100",
                        arguments: [household])
                    return ClassesResponse(classes: try found.map { try ClassResponse($0, classes, db) })
                })
        }
        routes.get("/api/lab/classes/{id}", .adult, "A class: who is in it, and what has come of the last run.") {
            request in
            let id = try request.path("id")
            let household = try request.member.household
            return try .json(
                try await hub.database.pool.read { db in
                    try ClassResponse(try .find(id, household: household, db), classes, db)
                })
        }
        routes.get(
            "/api/lab/classes/{id}/export", .adult,
            "All that the phones of a class measured, in one `csv` table: whose each row is, and of which run, stands in its last columns.",
            query: [TableForm.query]
        ) { request in
            let (id, form, member) = (try request.path("id"), try request.tableForm(), try request.member)
            let table = try await hub.database.pool.read { db in
                try ClassTable(ofClass: id, household: member.household, form: form, hub, db)
            }
            return .download(
                table.pieces(for: member.person.id), ClassTable.Format.csv, named: "class-\(id.prefix(8)).csv")
        }
        routes.post(
            "/api/lab/classes/{id}/code", .adult,
            "Gives a class another code: nobody joins with the one before, and whoever has joined stays."
        ) { request in
            let code = Secret.identifier(length: classes.limits.codeLength)
            let response = try await Self.change(request, classes) { found, now in
                try Self.checkOpen(found, now)
                found.codeHash = Secret.hash(code)
                found.codeEndsAt = min(now + classes.limits.codeMilliseconds, found.endsAt)
            }
            return try .created(Self.response(response, code, request))
        }
        routes.delete(
            "/api/lab/classes/{id}/code", .adult,
            "Shuts the door of a class: nobody joins until there is another code, and whoever has joined stays."
        ) { request in
            _ = try await Self.change(request, classes) { found, now in
                // One that nobody knows.
                found.codeHash = Secret.hash(Secret.token())
                found.codeEndsAt = min(found.codeEndsAt, now)
            }
            return .nothing
        }
        routes.post(
            "/api/lab/classes/{id}/run", .adult,
            "Lets all phones of a class begin at one instant, a few seconds from now by the hub’s clock."
        ) { request in
            try .created(
                try await Self.change(request, classes) { found, now in
                    try Self.checkOpen(found, now)
                    guard !found.isMeasuring(now) else {
                        throw Problem(.conflict, "Measuring already", "The phones measure now. Stop them first.")
                    }
                    guard found.run < classes.limits.runs else {
                        throw Problem(
                            .conflict, "Too many runs",
                            "A class measures at most \(classes.limits.runs) times. Open another one.")
                    }
                    found.run += 1
                    found.runStartsAt = now + classes.limits.leadMilliseconds
                    found.runEndsAt = min(found.runStartsAt + Int64(found.seconds) * 1_000, found.endsAt)
                })
        }
        routes.delete("/api/lab/classes/{id}/run", .adult, "Stops all phones of a class.") { request in
            _ = try await Self.change(request, classes) { found, now in
                guard found.isMeasuring(now) else { return }
                found.runEndsAt = now
            }
            return .nothing
        }
        routes.post(
            "/api/lab/classes/{id}/end", .adult,
            "Ends a class: nobody joins it any more, and its phones send the rest of what they measured."
        ) { request in
            try .created(
                try await Self.change(request, classes) { found, now in
                    found.endsAt = min(found.endsAt, now)
                    found.codeEndsAt = min(found.codeEndsAt, now)
                    found.runEndsAt = min(found.runEndsAt, now)
                })
        }
        routes.delete(
            "/api/lab/classes/{id}/guests/{guest}", .adult,
            "Sends a guest away: their phone can ask and send nothing any more. What they measured stays."
        ) { request in
            let id = try request.path("id")
            let guest = try request.path("guest")
            let household = try request.member.household
            try await hub.database.pool.write { db in
                let found = try ClassRecord.find(id, household: household, db)
                try db.execute(
                    cached: "UPDATE lab_guest SET token_hash = NULL WHERE id = ? AND in_class = ?",
                    arguments: [guest, found.id])
                guard db.changesCount == 1 else {
                    throw Problem.notFound("There is no such guest in this class.")
                }
                db.afterCommit { classes.places.sentAway(guest, of: id) }
                classes.publishChange(of: id, household: household, guests: [guest], after: db)
            }
            return .nothing
        }
        routes.delete(
            "/api/lab/classes/{id}", .adult, "Removes a class, with its guests and all that they measured."
        ) { request in
            let id = try request.path("id")
            let member = try request.member
            try await hub.database.pool.write { db in
                let found = try ClassRecord.find(id, household: member.household, db)
                let guests = try String.fetchAll(
                    db, cached: "SELECT id FROM lab_guest WHERE in_class = ?", arguments: [found.id])
                try db.execute(
                    cached: """
                        DELETE FROM lab_recording WHERE household = :household AND id IN
                            (SELECT recording FROM lab_guest_recording WHERE household = :household AND in_class = :class)
                        """, arguments: ["household": found.household, "class": found.id])
                _ = try found.delete(db)
                db.afterCommit {
                    classes.countAnew(id)
                    classes.places.forget(id)
                }
                classes.publishChange(of: id, household: member.household, guests: guests, after: db)
            }
            hub.log.notice(
                "A class of the lab was removed, with what its guests measured.",
                metadata: ["class": "\(id)", "by": "\(member.person.id)"])
            return .nothing
        }
    }

    // MARK: - What is stored

    private static func opened(_ input: OpenInput, code: String, household: String, _ classes: Classes) throws
        -> ClassRecord
    {
        let limits = classes.limits
        let now = classes.hub.clock.now()
        guard let name = ClassText.name(input.name, limits) else {
            throw Problem.field("name", "Write a name of at most \(limits.nameBytes) bytes.")
        }
        let sensors = SensorKind.allCases.filter { input.sensors.contains("\($0.name)") }
        guard !sensors.isEmpty, sensors.count == Set(input.sensors).count, sensors.count <= limits.sensors else {
            throw Problem.field("sensors", "Choose 1 to \(limits.sensors) sensors that the lab knows.")
        }
        let hertz = input.hertz ?? 50
        guard limits.hertz.contains(hertz) else {
            throw Problem.field("hertz", "Choose 1 to 200 values a second.")
        }
        let seconds = input.seconds ?? 60
        guard limits.seconds.contains(seconds) else {
            throw Problem.field("seconds", "A run takes 1 to \(limits.seconds.upperBound) seconds.")
        }
        let minutes = input.minutes ?? 60
        guard limits.minutes.contains(minutes) else {
            throw Problem.field(
                "minutes", "A class is open for \(limits.minutes.lowerBound) to \(limits.minutes.upperBound) minutes.")
        }
        let endsAt = now + Int64(minutes) * 60_000
        return ClassRecord(
            id: Secret.identifier(), household: household, name: name,
            experiment: String((input.experiment ?? "").prefix(60)), sensors: sensors.map { "\($0.name)" },
            hertz: hertz, seconds: seconds, codeHash: Secret.hash(code),
            codeEndsAt: min(now + limits.codeMilliseconds, endsAt), openedAt: now, endsAt: endsAt)
    }

    private static func response(_ response: ClassResponse, _ code: String, _ request: APIRequest) -> ClassCodeResponse
    {
        let link = "\(request.origin)/lab/class#\(code)"
        return ClassCodeResponse(class: response, code: code, link: link, qr: QRCodeResponse(link))
    }

    private static func checkOpen(_ found: ClassRecord, _ now: Int64) throws {
        guard found.isOpen(now) else {
            throw Problem(.conflict, "Class over", "This class is over. Open another one.")
        }
    }

    private static func change(
        _ request: APIRequest, _ classes: Classes,
        _ change: @escaping @Sendable (inout ClassRecord, Int64) throws -> Void
    ) async throws -> ClassResponse {
        let id = try request.path("id")
        let household = try request.member.household
        let now = classes.hub.clock.now()
        return try await classes.hub.database.pool.write { db in
            var found = try ClassRecord.find(id, household: household, db)
            try change(&found, now)
            found.version += 1
            try found.update(db)
            let response = try ClassResponse(found, classes, db)
            classes.publishChange(of: id, household: household, guests: response.guests.map(\.id), after: db)
            return response
        }
    }
}

/// The texts that strangers write.
enum ClassText {
    /// A name without anything that draws over others; nil for none, and for one that is too long.
    static func name(_ text: String, _ limits: ClassLimits) -> String? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return !text.isEmpty && isPlain && text.utf8.count <= limits.nameBytes ? text : nil
    }
}
