import Storage

/// How passwords are changed, and chosen anew by who forgot theirs.
struct PasswordRoutes: Sendable {
    let sessions: SessionTeller

    func add(to routes: Routes) {
        routes.put(
            "/api/account/password", .adult,
            "Gives the account that is signed in another password. Its sign-ins elsewhere end.",
            takes: PasswordChangeBody.self
        ) { visit, body in
            let member = try visit.member
            let ended = try await visit.hub.accounts.changePassword(
                of: member, current: body.password, new: body.newPassword, address: visit.address)
            visit.hub.live.end { ended.contains($0.signIn) }
            return try .json(ChangedReply(endedSignIns: ended.count))
        }
        routes.post(
            "/api/people/{id}/password-reset", .adult,
            "Makes a code by which another adult of the household chooses a new password, once, within a day."
        ) { visit in
            let reset = try await visit.hub.accounts.offerReset(of: visit.path("id"), from: visit.member)
            // Behind the # it is sent to no server and stands in no log.
            let link = "\(visit.origin)/reset#\(reset.code)"
            return try .created(
                NewResetReply(code: reset.code, expiresAt: reset.expiresAt, link: link, qr: QRCodeReply(link)))
        }
        routes.post(
            "/api/password-reset", .anyone,
            "Chooses a new password with a code, and signs in. The account’s sign-ins until then end.",
            takes: PasswordResetBody.self
        ) { visit, body in
            let (person, ended) = try await visit.hub.accounts.resetPassword(
                code: body.code, password: body.password, address: visit.address)
            visit.hub.live.end { ended.contains($0.signIn) }
            return try await sessions.signedIn(person, visit, isBearer: false) { try .json($0) }
        }
    }
}

private struct PasswordChangeBody: Decodable { var password, newPassword: String }
private struct PasswordResetBody: Decodable { var code, password: String }
private struct ChangedReply: Codable { var endedSignIns: Int }

private struct NewResetReply: Codable {
    var code: String
    var expiresAt: Int64
    var link: String
    var qr: QRCodeReply?
}
