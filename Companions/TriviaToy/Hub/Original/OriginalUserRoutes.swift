import GRDB
import HubKit
import Storage

/// The routes by which adults decide about users of the original system.
struct OriginalUserRoutes: Sendable {
    let toy: TriviaToy

    func add(to routes: Routes) {
        let limits = toy.limits
        routes.get(
            "/api/toy/original-users", .adult,
            "The users of the original toy and its app, whom each is linked to, and until when one can sign up."
        ) { request in
            let household = try request.member.household
            let now = request.hub.clock.now()
            return try .json(
                try await request.hub.database.pool.read { db in
                    try OriginalUsersResponse(household: household, now: now, limits, db)
                })
        }
        routes.post(
            "/api/toy/registration-window", .adult, "Opens the sign-up of the original’s app for five minutes."
        ) { request in
            let household = try request.member.household
            let now = request.hub.clock.now()
            guard request.hub.settings.legacy.contains(TriviaToy.slug) else {
                throw Problem(
                    .conflict, "Switched off",
                    "This hub does not speak to original toys. Start it with --legacy \(TriviaToy.slug) first.")
            }
            return try .json(
                try await request.hub.database.pool.write { db in
                    _ = try Registration.open(household: household, now: now, limits, db)
                    return try OriginalUsersResponse(household: household, now: now, limits, db)
                })
        }
        routes.put(
            "/api/toy/original-users/{id}", .adult,
            "Links a user of the original to somebody: from then on what its toy says is heard by them. Nobody ends that.",
            takes: LinkInput.self
        ) { request, input in
            let household = try request.member.household
            let id = Int64(try request.path("id")) ?? 0
            let now = request.hub.clock.now()
            return try .json(
                try await request.hub.database.pool.write { db in
                    guard var user = try OriginalUser.find(id, household: household, db) else {
                        throw Problem.notFound("There is no user here. They may have been removed.")
                    }
                    if let person = input.person { _ = try Subject.find(person, household: household, now: now, db) }
                    user.person = input.person
                    try user.update(db)
                    return try OriginalUsersResponse(household: household, now: now, limits, db)
                })
        }
        routes.delete(
            "/api/toy/original-users/{id}", .adult,
            "Removes a user of the original, with what they heard and voted by their own number: app and toy are nobody’s then."
        ) { request in
            let household = try request.member.household
            let id = Int64(try request.path("id")) ?? 0
            let now = request.hub.clock.now()
            return try .json(
                try await request.hub.database.pool.write { db in
                    guard let user = try OriginalUser.find(id, household: household, db) else {
                        throw Problem.notFound("There is no user here. They may have been removed.")
                    }
                    try user.remove(db)
                    return try OriginalUsersResponse(household: household, now: now, limits, db)
                })
        }
    }
}

private struct LinkInput: Decodable {
    /// The id of somebody of the household; nothing for nobody.
    var person: String?
}

private struct OriginalUsersResponse: Codable {
    struct User: Codable {
        var id: Int64
        var username, email: String
        /// The person that the user is linked to.
        var person: String?
        /// The number of facts of its own card that the toy has played, before it fetched any.
        var cardPlays: Int64
    }

    var users: [User]
    /// The time until which one can sign up, UTC milliseconds; nothing where nobody can.
    var openUntil: Int64?

    init(household: String, now: Int64, _ limits: ToyLimits, _ db: Database) throws {
        users = try OriginalUser.filter(sql: "household = ?", arguments: [household]).order(sql: "created_at, id")
            .fetchAll(db).map {
                User(id: $0.id, username: $0.username, email: $0.email, person: $0.person, cardPlays: $0.cardPlays)
            }
        openUntil = try Registration.openUntil(household: household, now: now, limits, db)
    }
}
