import Foundation
import Hummingbird
import Storage

/// Coming in, going out, and who lives here.
struct AccountRoutes: Sendable {
    let hub: Hub
    let companions: [CompanionSummary]

    func add(to routes: Routes) {
        addDoor(to: routes)
        addPeople(to: routes)
        addSignIns(to: routes)
    }

    private func addDoor(to routes: Routes) {
        routes.get("/api/setup", .anyone, "Whether the first account is still to be made.") { visit in
            let household = try await visit.hub.household()
            return try .json(
                SetupReply(
                    needsFirstAccount: try await visit.hub.accounts.isEmpty(), household: household?.name,
                    demo: household?.isDemo ?? false))
        }
        routes.post(
            "/api/setup", .anyone, "Makes the household and its first adult, with the code that the terminal shows.",
            takes: [
                "code": "string", "household": "string", "name": "string", "email": "string", "password": "string",
                "timeZone": "string?",
            ]
        ) { visit in
            let body = try await visit.body(SetupBody.self)
            let person = try await visit.hub.accounts.found(
                code: body.code, household: body.household, name: body.name, email: body.email, password: body.password,
                timeZone: body.timeZone ?? TimeZone.current.identifier, address: visit.address)
            return try await signedIn(person, visit, isBearer: false, status: .created)
        }
        routes.post(
            "/api/accounts", .anyone, "Makes the account of somebody who was invited.",
            takes: ["code": "string", "name": "string", "email": "string", "password": "string"]
        ) { visit in
            let body = try await visit.body(JoinBody.self)
            let person = try await visit.hub.accounts.join(
                code: body.code, name: body.name, email: body.email, password: body.password, address: visit.address)
            return try await signedIn(person, visit, isBearer: false, status: .created)
        }
        routes.post(
            "/api/session", .anyone, "Signs in: a cookie for a page, or a token for a program that asks for `bearer`.",
            takes: ["email": "string", "password": "string", "bearer": "boolean?"]
        ) { visit in
            let body = try await visit.body(SignInBody.self)
            let person = try await visit.hub.accounts.person(
                email: body.email, password: body.password, address: visit.address)
            return try await signedIn(person, visit, isBearer: body.bearer ?? false, status: .ok)
        }
        routes.get("/api/session", .member, "Who is signed in, and what this hub has.") { visit in
            try .json(try await session(visit.member))
        }
        routes.delete("/api/session", .member, "Signs out.") { visit in
            let member = try visit.member
            try await visit.hub.accounts.end(signIn: member.signIn, household: member.household)
            visit.hub.live.end { $0.signIn == member.signIn }
            return Reply.nothing.setting(.setCookie, Credentials.clearCookie)
        }
        routes.put(
            "/api/session/profile", .member, "Says who uses this page; leaving a child’s profile takes the password.",
            takes: ["personID": "string", "password": "string?"]
        ) { visit in
            let body = try await visit.body(ProfileBody.self)
            let member = try await visit.hub.accounts.setProfile(
                body.personID, of: visit.member, password: body.password, address: visit.address)
            return try .json(try await session(member))
        }
    }

    private func addPeople(to routes: Routes) {
        routes.get("/api/people", .member, "Everybody of the household.") { visit in
            try .json(try await visit.hub.accounts.people(household: visit.member.household).map(PersonReply.init))
        }
        routes.post(
            "/api/people", .adult, "Adds a child.",
            takes: ["name": "string", "birthYear": "integer?", "face": "string?"]
        ) { visit in
            let body = try await visit.body(ChildBody.self)
            let child = try await visit.hub.accounts.addChild(
                household: visit.member.household, name: body.name, birthYear: body.birthYear, face: body.face)
            return try .created(PersonReply(child))
        }
        routes.delete("/api/people/{id}", .adult, "Removes somebody with all their sign-ins.") { visit in
            let id = try visit.path("id")
            let ended = try await visit.hub.accounts.remove(person: id, household: visit.member.household)
            visit.hub.live.end { ended.contains($0.signIn) }
            return .nothing
        }
        routes.post("/api/invitations", .adult, "Makes a code by which one more adult may join within a week.") {
            visit in
            let invitation = try await visit.hub.accounts.invite(from: visit.member)
            return try .created(InvitationReply(code: invitation.code, expiresAt: invitation.expiresAt))
        }
    }

    private func addSignIns(to routes: Routes) {
        routes.get("/api/sign-ins", .adult, "Where the household is signed in.") { visit in
            let member = try visit.member
            let people = try await visit.hub.accounts.people(household: member.household)
            return try .json(
                try await visit.hub.accounts.signIns(household: member.household).map { record in
                    SignInReply(
                        id: record.id, person: people.first { $0.id == record.person }?.name ?? "",
                        createdAt: record.createdAt,
                        lastSeenAt: record.seenAt, agent: record.agent, current: record.id == member.signIn)
                })
        }
        routes.delete("/api/sign-ins/{id}", .adult, "Ends a sign-in.") { visit in
            let id = try visit.path("id")
            try await visit.hub.accounts.end(signIn: id, household: visit.member.household)
            visit.hub.live.end { $0.signIn == id }
            return .nothing
        }
    }

    private func signedIn(_ person: PersonRecord, _ visit: Visit, isBearer: Bool, status: HTTPResponse.Status)
        async throws
        -> Reply
    {
        let agent = visit.request.headers[.userAgent] ?? "unknown"
        let (token, member) = try await visit.hub.accounts.signIn(person, agent: agent)
        let reply = SignedInReply(session: try await session(member), token: isBearer ? token : nil)
        let answer = try Reply.json(reply, status)
        return isBearer ? answer : answer.setting(.setCookie, Credentials.setCookie(token))
    }

    private func session(_ member: Member) async throws -> SessionReply {
        guard let household = try await hub.household() else { throw Problem.signInFirst }
        return SessionReply(
            person: PersonReply(member.person), profile: PersonReply(member.profile),
            household: .init(id: household.id, name: household.name),
            people: try await hub.accounts.people(household: member.household).map(PersonReply.init),
            companions: companions,
            hub: .init(
                name: hub.settings.name, version: HubVersion.current, boot: hub.boot, now: hub.clock.now(),
                timeZone: household.timeZone))
    }
}

/// A companion as navigation shows it.
public struct CompanionSummary: Codable, Sendable {
    var slug: String
    var title: String
    var path: String
}

private struct SetupReply: Encodable {
    var needsFirstAccount: Bool
    var household: String?
    var demo: Bool
}

private struct SetupBody: Decodable {
    var code, household, name, email, password: String
    var timeZone: String?
}

private struct JoinBody: Decodable { var code, name, email, password: String }

private struct SignInBody: Decodable {
    var email, password: String
    var bearer: Bool?
}

private struct ProfileBody: Decodable {
    var personID: String
    var password: String?
}

private struct ChildBody: Decodable {
    var name: String
    var birthYear: Int?
    var face: String?
}

struct PersonReply: Encodable {
    var id, name, role: String
    var face: String?
    var birthYear: Int?
    var email: String?

    init(_ person: PersonRecord) {
        id = person.id
        name = person.name
        role = person.role.rawValue
        face = person.face
        birthYear = person.birthYear
        email = person.email
    }
}

private struct SessionReply: Encodable {
    struct Household: Encodable { var id, name: String }
    struct HubPart: Encodable {
        var name, version, boot: String
        var now: Int64
        var timeZone: String
    }
    var person, profile: PersonReply
    var household: Household
    var people: [PersonReply]
    var companions: [CompanionSummary]
    var hub: HubPart
}

private struct SignedInReply: Encodable {
    var session: SessionReply
    var token: String?
}

private struct InvitationReply: Encodable {
    var code: String
    var expiresAt: Int64
}

private struct SignInReply: Encodable {
    var id, person: String
    var createdAt, lastSeenAt: Int64
    var agent: String
    var current: Bool
}
