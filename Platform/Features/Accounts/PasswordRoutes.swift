import HubKit
import Storage

/// The routes to change a password, and to reset a forgotten one.
struct PasswordRoutes: Sendable {
    let accounts: Accounts
    let signIns: SignIns
    let reachable: AccountContext.Reachable

    func add(to routes: Routes) {
        routes.put(
            "/api/account/password", .adult,
            "Gives the account that is signed in another password. Its sign-ins elsewhere end.",
            takes: PasswordChangeBody.self
        ) { request, body in
            let member = try request.member
            let ended = try await accounts.changePassword(
                of: member, current: body.password, new: body.newPassword, address: request.address)
            request.hub.live.end { ended.contains($0.signIn) }
            return try .json(ChangedResponse(endedSignIns: ended.count))
        }
        routes.post(
            "/api/people/{id}/password-reset", .adult,
            "Makes a code by which another adult of the household chooses a new password, once, within a day."
        ) { request in
            let reset = try await accounts.offerReset(of: request.path("id"), from: request.member)
            // Behind the # it is sent to no server and stands in no log.
            let link = "\(reachable(request.origin, request.source))/reset#\(reset.code)"
            return try .created(
                NewResetResponse(code: reset.code, expiresAt: reset.expiresAt, link: link, qr: QRCodeResponse(link)))
        }
        routes.post(
            "/api/password-reset", .anyone,
            "Chooses a new password with a code, and signs in. The account’s sign-ins until then end.",
            takes: PasswordResetBody.self
        ) { request, body in
            let (person, ended) = try await accounts.resetPassword(
                code: body.code, password: body.password, address: request.address)
            request.hub.live.end { ended.contains($0.signIn) }
            return try await signIns.signedIn(person, request, isBearer: false) { try .json($0) }
        }
    }
}

private struct PasswordChangeBody: Decodable { var password, newPassword: String }
private struct PasswordResetBody: Decodable { var code, password: String }
private struct ChangedResponse: Codable { var endedSignIns: Int }

private struct NewResetResponse: Codable {
    var code: String
    var expiresAt: Int64
    var link: String
    var qr: QRCodeResponse?
}
