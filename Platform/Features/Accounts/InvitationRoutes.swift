import HubKit
import Hummingbird
import Storage

/// The routes of invitations: making, listing and withdrawing them.
struct InvitationRoutes: Sendable {
    let accounts: Accounts
    let reachable: AccountContext.Reachable

    func add(to routes: Routes) {
        routes.post("/api/invitations", .adult, "Makes a code by which one more adult may join within a week.") {
            request in
            let invitation = try await accounts.invite(from: request.member)
            // Behind the # it is sent to no server and stands in no log.
            let link =
                "\(reachable(request.origin, request.source))/join#\(invitation.code)"
            return try .created(
                NewInvitationResponse(
                    code: invitation.code, expiresAt: invitation.expiresAt, link: link, qr: QRCodeResponse(link)))
        }
        routes.get(
            "/api/invitations", .adult, "Invitations that nobody has used yet: who made them, and when they end."
        ) { request in
            let household = try request.member.household
            let people = try await accounts.people(household: household)
            return try .json(
                try await accounts.invitations(household: household).map { record in
                    InvitationResponse(
                        id: record.id, inviter: people.first { $0.id == record.inviter }?.name ?? "",
                        createdAt: record.createdAt, expiresAt: record.expiresAt)
                })
        }
        routes.delete(
            "/api/invitations/{id}", .adult, "Withdraws an invitation: whoever comes with its code is told so."
        ) { request in
            try await accounts.withdraw(
                invitation: request.path("id"), household: request.member.household)
            return .nothing
        }
        routes.post(
            "/api/invitations/check", .anyone, "Who invites whoever has a code, and to where.",
            takes: CodeBody.self
        ) { request, body in
            let code = body.code
            let found = try await accounts.invitation(code: code, address: request.address)
            return try .json(
                InvitedResponse(household: found.household, inviter: found.inviter, expiresAt: found.expiresAt))
        }
    }
}

private struct CodeBody: Decodable { var code: String }

private struct NewInvitationResponse: Codable {
    var code: String
    var expiresAt: Int64
    var link: String
    var qr: QRCodeResponse?
}

private struct InvitationResponse: Codable {
    var id, inviter: String
    var createdAt, expiresAt: Int64
}

private struct InvitedResponse: Codable {
    var household, inviter: String
    var expiresAt: Int64
}
