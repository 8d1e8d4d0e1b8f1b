import Hummingbird
import Storage

/// The answer to whoever has just come in.
struct SignedInReply: Codable {
    var session: SessionReply
    var token: String?
}

extension SessionTeller {
    /// Signs somebody in, and answers with a cookie for a page or a token for a program.
    func signedIn<Form: ReplyForm>(
        _ person: PersonRecord, _ visit: Visit, isBearer: Bool, _ answer: (SignedInReply) throws -> Reply<Form>
    ) async throws -> Reply<Form> {
        let agent = visit.request.headers[.userAgent] ?? "unknown"
        let (token, member) = try await visit.hub.accounts.signIn(person, agent: agent)
        let reply = try answer(
            SignedInReply(session: try await session(member, visit), token: isBearer ? token : nil))
        if isBearer { return reply }
        return reply.setting(.setCookie, visit.setCookie(token))
    }
}

extension Visit {
    /// The token that came in the cookie of this kind of page; nil where it came otherwise.
    var cookie: String? {
        guard request.headers[.authorization] == nil else { return nil }
        return Credentials.ownCookie(cookies: request.headers[values: .cookie], isSecure: source.isSecure)
    }

    func setCookie(_ token: String) -> String {
        Credentials.setCookie(
            token, maximumAgeSeconds: hub.settings.accountLimits.unusedSignInDays * 86_400, isSecure: source.isSecure)
    }
}
