import HubKit
import Hummingbird
import Storage

/// The routes of a household's settings: its name, its people, its companions.
struct HouseholdRoutes: Sendable {
    let accounts: Accounts
    let signIns: SignIns

    func add(to routes: Routes) {
        addHousehold(to: routes)
        addPeople(to: routes)
    }

    private func addHousehold(to routes: Routes) {
        routes.patch("/api/household", .adult, "Gives the household another name.", takes: NameBody.self) {
            request, body in
            let member = try request.member
            try await accounts.rename(household: member.household, to: body.name)
            return try .json(try await signIns.response(of: member, request))
        }
        routes.put(
            "/api/household/setup-step", .adult,
            "Says where the first run goes on after a break: `children`, `companions`, `device`, or `done`.",
            takes: StepBody.self
        ) { request, body in
            let member = try request.member
            let step = HouseholdRecord.SetupStep(rawValue: body.step)
            guard step != nil || body.step == "done" else {
                throw Problem.field("step", "The steps are children, companions, device and done.")
            }
            try await accounts.setSetupStep(step, household: member.household)
            return try .json(try await signIns.response(of: member, request))
        }
        routes.put(
            "/api/household/companions", .adult, "Uses these companions and no others. What the others stored stays.",
            takes: CompanionsBody.self
        ) { request, body in
            let member = try request.member
            try await accounts.useCompanions(
                Set(body.slugs), of: signIns.companions.map(\.slug), household: member.household)
            return try .json(try await signIns.response(of: member, request))
        }
    }

    private func addPeople(to routes: Routes) {
        routes.get(
            "/api/people", .member,
            "Everybody of the household; with e-mail, year of birth and time zone of those whom the caller may see so."
        ) { request in
            let (hub, member) = (request.hub, try request.member)
            let now = hub.clock.now()
            return try .json(
                try await accounts.people(household: member.household).map {
                    PersonResponse($0, for: member, hub.policy, now: now)
                })
        }
        routes.post(
            "/api/people", .adult, "Adds a child. Takes an Idempotency-Key.",
            takes: ChildBody.self
        ) { request, body in
            let (hub, member) = (request.hub, try request.member)
            let now = hub.clock.now()
            return try await request.idempotently { db in
                let child = try accounts.addChild(
                    household: member.household, name: body.name, birthYear: body.birthYear, face: body.face, db)
                return try .created(PersonResponse(child, for: member, hub.policy, now: now)).naming(child.id)
            }
        }
        routes.patch(
            "/api/people/{id}", .adult,
            """
            Changes somebody’s name, face, year of birth or time zone, an IANA name such as Europe/Vienna. Null takes \
            face and year away, and goes back to the household’s clock.
            """,
            takes: PersonBody.self
        ) { request, body in
            let (hub, member) = (request.hub, try request.member)
            let person = try await accounts.change(
                person: request.path("id"), body.changes, household: member.household)
            return try .json(PersonResponse(person, for: member, hub.policy, now: hub.clock.now()))
        }
        routes.delete(
            "/api/people/{id}", .adult,
            "Removes somebody with all their sign-ins, themself too; `data` says whether what is stored of an adult is to `delete`, as it is without, or to `keep`.",
            query: [.removedData]
        ) { request in
            let id = try request.path("id")
            guard let data = Accounts.RemovedData(rawValue: request.query(.removedData) ?? "delete") else {
                throw Problem.field("data", "What is stored can be kept or deleted: data is keep or delete.")
            }
            let ended = try await accounts.remove(
                person: id, data: data, household: request.member.household)
            request.hub.live.end { ended.contains($0.signIn) }
            return .nothing
        }
    }
}

/// A request with a new name.
struct NameBody: Decodable { var name: String }

private struct StepBody: Decodable { var step: String }
private struct CompanionsBody: Decodable { var slugs: [String] }

private struct ChildBody: Decodable {
    var name: String
    var birthYear: Int?
    var face: String?
}

/// A request that distinguishes null from absent values.
private struct PersonBody: Decodable {
    var changes: Accounts.PersonChanges

    private enum CodingKeys: CodingKey { case name, face, birthYear, timeZone }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        changes = .init(name: try body.decodeIfPresent(String.self, forKey: .name))
        if body.contains(.face) { changes.face = .some(try body.decodeIfPresent(String.self, forKey: .face)) }
        if body.contains(.birthYear) {
            changes.birthYear = .some(try body.decodeIfPresent(Int.self, forKey: .birthYear))
        }
        if body.contains(.timeZone) {
            changes.timeZone = .some(try body.decodeIfPresent(String.self, forKey: .timeZone))
        }
    }
}

extension QueryParameter {
    fileprivate static let removedData = QueryParameter(
        "data", "What happens to what is stored of an adult; it is deleted where nothing is said.",
        values: Accounts.RemovedData.allCases.map(\.rawValue))
}
