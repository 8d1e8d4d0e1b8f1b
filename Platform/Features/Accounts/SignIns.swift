import HubKit
import Hummingbird
import Storage

/// The responses about a sign-in, and the signing in.
struct SignIns: Sendable {
    let accounts: Accounts
    /// The companions that the hub was built with, in the order of the registry.
    let companions: [CompanionSummary]

    func response(of member: Member, _ request: APIRequest) async throws -> CurrentSignInResponse {
        let hub = request.hub
        guard let household = try await hub.household() else { throw Problem.signInFirst }
        let unused = try await accounts.unusedCompanions(household: household.id)
        let now = hub.clock.now()
        func response(_ person: PersonRecord) -> PersonResponse {
            PersonResponse(person, for: member, hub.policy, now: now)
        }
        return CurrentSignInResponse(
            person: response(member.person), profile: response(member.profile),
            household: .init(id: household.id, name: household.name, setupStep: household.setupStep),
            people: try await accounts.people(household: member.household).map(response),
            companions: companions.filter { !unused.contains($0.slug) },
            allCompanions: companions.map {
                .init(slug: $0.slug, title: $0.title, path: $0.path, isUsed: !unused.contains($0.slug))
            },
            signIn: .init(
                id: member.signIn, isShared: member.isShared,
                needsPassword: hub.policy.needsPassword(member, now: now),
                passwordEnds: member.isShared ? hub.policy.passwordEnds(member, now: now) : nil),
            hub: .init(
                name: hub.settings.name, version: HubVersion.current, boot: hub.boot, now: now,
                timeZone: household.timeZone, origin: hub.settings.origin, isSecure: request.source.isSecure,
                storageFault: hub.storage.fault))
    }

    /// Signs a person in, and responds with a cookie for a page or a token for a program.
    func signedIn<Form: ResponseForm>(
        _ person: PersonRecord, _ request: APIRequest, isBearer: Bool,
        _ answer: (NewSignInResponse) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let agent = request.httpRequest.headers[.userAgent]?.withoutUnseenCharacters ?? "unknown"
        let (token, member) = try await accounts.signIn(person, agent: agent)
        let answered = try answer(
            NewSignInResponse(session: try await response(of: member, request), token: isBearer ? token : nil))
        if isBearer { return answered }
        return answered.setting(.setCookie, request.setCookie(token))
    }
}

extension APIRequest {
    /// The token in the cookie of this kind of page; nil if it was sent otherwise.
    var cookie: String? {
        guard httpRequest.headers[.authorization] == nil else { return nil }
        return Credentials.ownCookie(cookies: httpRequest.headers[values: .cookie], isSecure: source.isSecure)
    }

    func setCookie(_ token: String) -> String {
        Credentials.setCookie(
            token, maximumAgeSeconds: hub.settings.accountLimits.unusedSignInDays * 86_400, isSecure: source.isSecure)
    }
}
