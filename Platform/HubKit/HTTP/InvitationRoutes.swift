import Hummingbird
import Storage

/// How one more adult is invited, and how an invitation is taken back.
struct InvitationRoutes: Sendable {
    func add(to routes: Routes) {
        routes.post("/api/invitations", .adult, "Makes a code by which one more adult may join within a week.") {
            visit in
            let invitation = try await visit.hub.accounts.invite(from: visit.member)
            // Behind the # it is sent to no server and stands in no log.
            let link = "\(visit.origin)/join#\(invitation.code)"
            return try .created(
                NewInvitationReply(
                    code: invitation.code, expiresAt: invitation.expiresAt, link: link, qr: QRCodeReply(link)))
        }
        routes.get(
            "/api/invitations", .adult, "Invitations that nobody has used yet: who made them, and when they end."
        ) { visit in
            let household = try visit.member.household
            let people = try await visit.hub.accounts.people(household: household)
            return try .json(
                try await visit.hub.accounts.invitations(household: household).map { record in
                    InvitationReply(
                        id: record.id, inviter: people.first { $0.id == record.inviter }?.name ?? "",
                        createdAt: record.createdAt, expiresAt: record.expiresAt)
                })
        }
        routes.delete(
            "/api/invitations/{id}", .adult, "Withdraws an invitation: whoever comes with its code is told so."
        ) { visit in
            try await visit.hub.accounts.withdraw(
                invitation: visit.path("id"), household: visit.member.household)
            return .nothing
        }
        routes.post(
            "/api/invitations/check", .anyone, "Who invites whoever has a code, and to where.",
            takes: CodeBody.self
        ) { visit, body in
            let code = body.code
            let found = try await visit.hub.accounts.invitation(code: code, address: visit.address)
            return try .json(
                InvitedReply(household: found.household, inviter: found.inviter, expiresAt: found.expiresAt))
        }
    }
}

private struct CodeBody: Decodable { var code: String }

private struct NewInvitationReply: Codable {
    var code: String
    var expiresAt: Int64
    var link: String
    var qr: QRCodeReply?
}

private struct InvitationReply: Codable {
    var id, inviter: String
    var createdAt, expiresAt: Int64
}

private struct InvitedReply: Codable {
    var household, inviter: String
    var expiresAt: Int64
}
