import HubKit
import Hummingbird
import Storage

/// The answer to whoever has just come in.
struct SignedInResponse: Codable {
    var session: SessionResponse
    var token: String?
}

extension SessionNotifier {
    /// Signs somebody in, and answers with a cookie for a page or a token for a program.
    func signedIn<Form: ResponseForm>(
        _ person: PersonRecord, _ request: APIRequest, isBearer: Bool,
        _ answer: (SignedInResponse) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let agent = request.httpRequest.headers[.userAgent] ?? "unknown"
        let (token, member) = try await services.accounts.signIn(person, agent: agent)
        let response = try answer(
            SignedInResponse(session: try await session(member, request), token: isBearer ? token : nil))
        if isBearer { return response }
        return response.setting(.setCookie, request.setCookie(token))
    }
}

extension APIRequest {
    /// The token that came in the cookie of this kind of page; nil where it came otherwise.
    var cookie: String? {
        guard httpRequest.headers[.authorization] == nil else { return nil }
        return Credentials.ownCookie(cookies: httpRequest.headers[values: .cookie], isSecure: source.isSecure)
    }

    func setCookie(_ token: String) -> String {
        Credentials.setCookie(
            token, maximumAgeSeconds: hub.settings.accountLimits.unusedSignInDays * 86_400, isSecure: source.isSecure)
    }
}
