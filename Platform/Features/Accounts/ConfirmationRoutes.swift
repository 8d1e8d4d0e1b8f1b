import HubKit

/// The route by which a page confirms an adult with the password on a shared device.
struct ConfirmationRoutes: Sendable {
    let accounts: Accounts
    let signIns: SignIns

    func add(to routes: Routes) {
        routes.post(
            "/api/session/confirm", .member,
            "Takes the password of the account that is signed in, for what is refused with the problem type /problems/password-needed.",
            takes: PasswordBody.self
        ) { request, body in
            let member = try await accounts.confirm(
                request.member, password: body.password, address: request.address)
            return try .json(try await signIns.response(of: member, request))
        }
    }
}

private struct PasswordBody: Decodable { var password: String }
