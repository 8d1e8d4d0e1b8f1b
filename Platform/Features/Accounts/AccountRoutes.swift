import Foundation
import HubKit
import Hummingbird
import Storage

/// Coming in, going out, and where the household is signed in.
struct AccountRoutes: Sendable {
    let accounts: Accounts
    let signIns: SignIns

    func add(to routes: Routes) {
        addDoor(to: routes)
        addSession(to: routes)
        addSignIns(to: routes)
    }

    private func addDoor(to routes: Routes) {
        routes.get("/api/setup", .anyone, "Whether the first account is still to be made.") { request in
            let household = try await request.hub.household()
            return try .json(
                SetupResponse(
                    needsFirstAccount: try await accounts.isEmpty(), name: request.hub.settings.name,
                    demo: household?.isDemo ?? false))
        }
        routes.post(
            "/api/setup", .anyone, "Makes the household and its first adult, with the code that the terminal shows.",
            takes: SetupBody.self
        ) { request, body in
            let person = try await accounts.found(
                code: body.code, household: body.household, name: body.name, email: body.email, password: body.password,
                timeZone: body.timeZone ?? TimeZone.current.identifier, address: request.address,
                language: request.language)
            return try await signIns.signedIn(person, request, isBearer: false) { try .created($0) }
        }
        routes.post(
            "/api/accounts", .anyone, "Makes the account of somebody who was invited.",
            takes: JoinBody.self
        ) { request, body in
            let person = try await accounts.join(
                code: body.code, name: body.name, email: body.email, password: body.password, address: request.address)
            return try await signIns.signedIn(person, request, isBearer: false) { try .created($0) }
        }
        routes.post(
            "/api/session", .anyone, "Signs in: a cookie for a page, or a token for a program that asks for `bearer`.",
            takes: SignInBody.self
        ) { request, body in
            let person = try await accounts.person(
                email: body.email, password: body.password, address: request.address,
                signIn: request.caller.member?.signIn)
            return try await signIns.signedIn(person, request, isBearer: body.bearer ?? false) { try .json($0) }
        }
    }

    private func addSession(to routes: Routes) {
        routes.get("/api/session", .member, "Who is signed in, and what this hub has.") { request in
            let response = try APIResponse.json(try await signIns.response(of: request.member, request))
            // A page asks this whenever it is opened: a cookie lasts as long from then as its sign-in does.
            guard let token = request.cookie else { return response }
            return response.setting(.setCookie, request.setCookie(token))
        }
        routes.on(
            .delete, "/api/session", .member, "Signs out; a child does not sign a shared device out.", isCounted: false
        ) { request in
            let member = try request.member
            guard request.hub.policy.allowsSignOut(member) else { throw Problem.adultsOnly }
            try await accounts.end(signIn: member.signIn, household: member.household)
            request.hub.live.end { $0.signIn == member.signIn }
            return APIResponse.nothing.setting(.setCookie, Credentials.clearCookie(isSecure: request.source.isSecure))
        }
        routes.on(
            .put, "/api/session/profile", .member,
            "Says who uses this page; leaving a child’s profile takes the password.",
            takes: ProfileBody.self, isCounted: false
        ) { request, body in
            let member = try await accounts.setProfile(
                body.personID, of: request.member, password: body.password, address: request.address)
            return try .json(try await signIns.response(of: member, request))
        }
        routes.put(
            "/api/session/shared", .adult,
            "Says whether the family shares this device, which then asks who is there whenever it is opened.",
            takes: SharedBody.self
        ) { request, body in
            let member = try await accounts.setShared(body.isShared, of: request.member)
            return try .json(try await signIns.response(of: member, request))
        }
    }

    private func addSignIns(to routes: Routes) {
        routes.get("/api/sign-ins", .adult, "Where the household is signed in.") { request in
            let member = try request.member
            let people = try await accounts.people(household: member.household)
            return try .json(
                try await accounts.signIns(household: member.household).map { record in
                    SignInResponse(
                        id: record.id, person: people.first { $0.id == record.person }?.name ?? "",
                        createdAt: record.createdAt,
                        lastSeenAt: record.seenAt, agent: record.agent, current: record.id == member.signIn,
                        isShared: record.isShared, isOwn: record.person == member.person.id)
                })
        }
        routes.delete("/api/sign-ins", .adult, "Ends the sign-ins of who asks on all other devices.") { request in
            let ended = try await accounts.endOthers(of: request.member)
            request.hub.live.end { ended.contains($0.signIn) }
            return try .json(EndedResponse(endedSignIns: ended.count))
        }
        routes.delete("/api/sign-ins/{id}", .adult, "Ends a sign-in.") { request in
            let id = try request.path("id")
            let member = try request.member
            guard try await accounts.end(signIn: id, household: member.household) else {
                throw Problem.notFound("There is no sign-in here. It may have been removed.")
            }
            request.hub.live.end { $0.signIn == id }
            guard id == member.signIn else { return .nothing }
            return APIResponse.nothing.setting(.setCookie, Credentials.clearCookie(isSecure: request.source.isSecure))
        }
    }
}

private struct SetupResponse: Codable {
    var needsFirstAccount: Bool
    /// The hub's, which is nobody's: the household's is not for strangers.
    var name: String
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

private struct SharedBody: Decodable { var isShared: Bool }

private struct SignInResponse: Codable {
    var id, person: String
    var createdAt, lastSeenAt: Int64
    var agent: String
    var current, isShared: Bool
    /// Whether it is of the account that asks.
    var isOwn: Bool
}

private struct EndedResponse: Codable { var endedSignIns: Int }
