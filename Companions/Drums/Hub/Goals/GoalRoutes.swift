import GRDB
import HubKit
import Localization
import NIOCore
import Storage

/// The routes to goals, which somebody and the adults write, and to clinic scores, which are the adults' alone.
struct GoalRoutes: Sendable {
    private static let person = "/api/drums/people/{person}"

    func add(to routes: Routes) {
        routes.get("\(Self.person)/goals", .member, "Somebody’s goals in their own words, the earliest first.") {
            request in
            let goals = try await Self.read(request) { subject, _, db in try GoalsResponse(of: subject, db) }
            return try .json(goals)
        }
        routes.post(
            "\(Self.person)/goals", .member,
            "Adds a goal: its `text`; answers with all goals. Takes an Idempotency-Key.", takes: GoalInput.self
        ) { request, input in
            try await Self.change(request) { subject, db in
                let text = try GoalInput.checked(input.text)
                guard try Goal.all(of: subject.person.id, db).count < Goal.most else {
                    throw Problem(
                        .conflict, "Enough goals", "There are \(Goal.most) goals already. Change one of them.",
                        field: "text")
                }
                try Goal(
                    id: Secret.identifier(), household: subject.household.id, person: subject.person.id, text: text,
                    state: .open, createdAt: subject.now
                ).insert(db)
            }
        }
        routes.put(
            "\(Self.person)/goals/{goal}", .member,
            "Says a goal otherwise, or that it is open, reached or archived; answers with all goals. Takes an Idempotency-Key.",
            takes: GoalInput.self
        ) { request, input in
            let id = try request.path("goal")
            return try await Self.change(request) { subject, db in
                var goal = try Goal.find(id, of: subject.person.id, db)
                try input.apply(to: &goal, now: subject.now)
                try goal.update(db)
            }
        }
        addScores(to: routes)
    }

    private func addScores(to routes: Routes) {
        routes.get(
            "\(Self.person)/scores", .adult, "Somebody’s clinic scores, and what can be entered of them."
        ) { request in
            let scores = try await Self.read(request) { subject, localized, db in
                try ClinicScoresResponse(of: subject, in: localized, db)
            }
            return try .json(scores)
        }
        routes.get(
            "\(Self.person)/scores/file", .adult, "Somebody’s clinic scores as a table.", query: [TableForm.query]
        ) {
            request in
            let form = try request.tableForm()
            let text = try await Self.read(request) { subject, _, db in
                ClinicScoreTable.bytes(
                    try ClinicScore.all(of: subject.person.id, db), try Goal.all(of: subject.person.id, db),
                    of: subject.person.name, form)
            }
            return .download(ByteBuffer(bytes: text), ClinicScoreTable.csv, named: "clinic-scores.csv")
        }
        routes.post(
            "\(Self.person)/scores", .adult,
            "Enters a clinic score: `measure` boxAndBlock, aha, copm or gas, its `day` and `value`, and what belongs to it; answers with all scores. Takes an Idempotency-Key.",
            takes: ClinicScoreInput.self
        ) { request, input in
            try await Self.changeScores(request) { subject, db in
                guard try ClinicScore.all(of: subject.person.id, db).count < ClinicScore.most else {
                    throw Problem(
                        .conflict, "Enough scores",
                        "There are \(ClinicScore.most) scores already. Remove some of them.",
                        field: "value")
                }
                try input.checked(of: subject, db).insert(db)
            }
        }
        routes.delete(
            "\(Self.person)/scores/{score}", .adult, "Removes a clinic score. Takes an Idempotency-Key."
        ) { request in
            try await Self.set(removed: true, request)
        }
        routes.post(
            "\(Self.person)/scores/{score}/restore", .adult,
            "Puts a clinic score back that was removed. Takes an Idempotency-Key."
        ) { request in
            try await Self.set(removed: false, request)
        }
    }

    private static func set(removed: Bool, _ request: APIRequest) async throws -> APIResponse<
        JSON<ClinicScoresResponse>
    > {
        let id = try request.path("score")
        return try await changeScores(request) { subject, db in
            guard var score = try ClinicScore.fetchOne(db, key: id), score.person == subject.person.id else {
                throw Problem.notFound("There is no such score here. It may have been removed.")
            }
            score.removedAt = removed ? subject.now : nil
            try score.update(db)
        }
    }

    private static func read<Value: Sendable>(
        _ request: APIRequest, _ value: @escaping @Sendable (Subject, Localizer, Database) throws -> Value
    ) async throws -> Value {
        let (hub, member, id) = (request.hub, try request.member, try request.path("person"))
        let localized = Localizer(request.language, from: .drums)
        let now = hub.clock.now()
        return try await hub.database.pool.read { db in
            try value(try Subject.read(id, by: member, hub, now: now, db), localized, db)
        }
    }

    private static func change(
        _ request: APIRequest, _ effect: @escaping @Sendable (Subject, Database) throws -> Void
    ) async throws -> APIResponse<JSON<GoalsResponse>> {
        try await request.change(Drums.self) { subject, db in
            try effect(subject, db)
            return try .json(GoalsResponse(of: subject, db))
        }
    }

    private static func changeScores(
        _ request: APIRequest, _ effect: @escaping @Sendable (Subject, Database) throws -> Void
    ) async throws -> APIResponse<JSON<ClinicScoresResponse>> {
        let localized = Localizer(request.language, from: .drums)
        return try await request.change(Drums.self) { subject, db in
            try effect(subject, db)
            return try .json(ClinicScoresResponse(of: subject, in: localized, db))
        }
    }
}

/// A table of clinic scores as comma-separated values (RFC 4180), a row a score.
enum ClinicScoreTable: FileMedia, Sendable {
    case csv

    var mediaType: String { "text/csv; charset=utf-8; header=present" }

    static func bytes(_ scores: [ClinicScore], _ goals: [Goal], of person: String, _ form: TableForm) -> [UInt8] {
        var table = TableWriter(form)
        table.line(["day", "measure", "side", "goal", "value", "satisfaction", "person"])
        for score in scores {
            let goal = score.goal.flatMap { id in goals.first { $0.id == id }?.text } ?? ""
            table.line([
                .text("\(CivilDate(day: score.day))"), .text(score.measure.rawValue), .text(score.side?.rawValue ?? ""),
                .text(goal), TableCell(score.value), TableCell(score.satisfaction), .text(person),
            ])
        }
        return table.take()
    }
}
