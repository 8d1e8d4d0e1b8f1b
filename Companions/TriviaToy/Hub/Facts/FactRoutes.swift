import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// The routes to facts and to votes on them.
struct FactRoutes: Sendable {
    let toy: TriviaToy

    func add(to routes: Routes) {
        routes.get("/api/toy", .member, "Who hears facts, the toys, and every category with the number of its facts.") {
            request in
            let member = try request.member
            let (hub, now, localized) = (request.hub, request.hub.clock.now(), request.localized)
            try await toy.prepare(member.household)
            return try .json(
                try await hub.database.pool.read { db in
                    try OverviewResponse(for: member, hub: hub, now: now, localized, db)
                })
        }
        routes.get("/api/toy/facts/{id}", .member, "One fact, with its source, its votes and one’s own.") { request in
            let member = try request.member
            let id = try request.factID()
            return try .json(
                try await request.hub.database.pool.read { db in
                    let fact = try FactRecord.known(id, household: member.household, db)
                    let listener = try FactQueue.known(person: member.profile.id, db)
                    return FactResponse(fact, vote: try listener.map { try Votes.of($0, on: id, db) } ?? FactVote.none)
                })
        }
        routes.get(
            "/api/toy/facts/{id}/context", .member,
            "Who has heard a fact, as far as one may see, and more of its subject."
        ) { request in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.factID(), request.hub.clock.now())
            let localized = request.localized
            return try .json(
                try await hub.database.pool.read { db in
                    let fact = try FactRecord.known(id, household: member.household, db)
                    return try FactContextResponse(of: fact, for: member, hub: hub, now: now, in: localized, db)
                })
        }
        routes.put(
            "/api/toy/facts/{id}/vote", .member,
            "Votes for a fact with 1 or against it with -1, changes that, or takes it back with 0. Takes an Idempotency-Key.",
            takes: VoteInput.self
        ) { request, input in
            let member = try request.member
            let id = try request.factID()
            guard let vote = Int8(exactly: input.vote).flatMap({ FactVote(rawValue: $0) }) else {
                throw Problem.field("vote", "A vote is 1 for a fact, -1 against it, or 0 to take it back.")
            }
            let (hub, now) = (request.hub, request.hub.clock.now())
            return try await request.idempotently { db in
                let fact = try FactRecord.known(id, household: member.household, db)
                let subject = try Subject.find(
                    input.person ?? member.profile.id, household: member.household, now: now, db)
                try hub.policy.checkName(member, of: subject.person)
                let listener = try FactQueue.listener(
                    person: subject.person.id, household: member.household, db)
                let voted = try Votes.set(vote, on: fact, listener: listener, at: now, db)
                // Not on which fact: brothers and sisters are told too.
                hub.live.publish(changed: "vote", of: TriviaToy.self, household: member.household, after: db)
                return try .json(FactResponse(voted, vote: vote)).naming(subject.person.id)
            }
        }
    }
}

private struct VoteInput: Decodable {
    /// The vote: 1, -1 or 0.
    var vote: Int
    /// The person whose vote it is, where they have heard the fact on somebody else's profile; the profile's own where
    /// it is left out.
    var person: String?
}

extension FactRecord {
    /// Finds a fact of a household.
    ///
    /// - Throws: a 404 problem for one that is not of the household.
    static func known(_ id: Int64, household: String, _ db: Database) throws -> FactRecord {
        guard let fact = try find(id, household: household, db) else {
            throw Problem.notFound("There is no fact here. It may have been removed.")
        }
        return fact
    }
}

extension APIRequest {
    /// The number in the path.
    ///
    /// - Throws: a 404 problem for what is none.
    func factID() throws -> Int64 {
        let digits = Array(try path("id").utf8)
        guard let id = LegacyBody.id(path: digits.span) else {
            throw Problem.notFound("There is no fact here. It may have been removed.")
        }
        return Int64(id)
    }
}
