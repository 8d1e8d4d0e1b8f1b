import HubKit
import Storage

/// The routes of the household's e-mail account, for adults.
public struct MailAccountRoutes: Sendable {
    private let push: Push

    /// Creates the routes.
    public init(push: Push) { self.push = push }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get("/api/mail-account", .adult, "The account by which emails leave the house, without its password.") {
            request in
            let account = try await push.mailAccount(household: request.member.household)
            return try .json(MailAccountResponse(account: account.map(MailAccountResponse.Account.init)))
        }
        routes.put(
            "/api/mail-account", .adult,
            "Sets the account, once its server lets the hub in. Without a password the one that is stored stays.",
            takes: MailAccountInput.self
        ) { request, input in
            let account = try await push.setMailAccount(
                .init(
                    host: input.host, port: input.port, isStarttls: input.isStarttls, houseAddress: input.houseAddress,
                    user: input.user, password: input.password, sender: input.sender, authority: input.authority,
                    fingerprint: input.fingerprint),
                household: request.member.household)
            return try .json(MailAccountResponse(account: .init(account)))
        }
        routes.delete("/api/mail-account", .adult, "Removes the account: no emails leave the house any more.") {
            request in
            try await push.removeMailAccount(household: request.member.household)
            return .nothing
        }
    }
}

private struct MailAccountInput: Decodable {
    /// The host name or address of the mail server.
    var host: String
    /// The port; absent for the usual one.
    var port: Int?
    /// Whether TLS begins with STARTTLS, or else with the connection.
    var isStarttls: Bool
    /// The address in digits of a server whose name leads into the house.
    var houseAddress: String?
    var user: String
    var password: String?
    /// The account's own address; absent if it is the name to sign in with.
    var sender: String?
    /// The certificate of the authority to trust, PEM.
    var authority: String?
    /// The SHA-256 of the server's certificate.
    var fingerprint: String?
}

private struct MailAccountResponse: Codable {
    struct Account: Codable {
        var host: String
        var port: Int
        var isStarttls: Bool
        var houseAddress: String?
        var user, sender: String
        /// Whether a certificate of its own is trusted.
        var hasOwnTrust: Bool
        var changedAt: Int64

        init(_ record: MailAccountRecord) {
            host = record.host
            port = record.port
            isStarttls = record.isStarttls
            houseAddress = record.houseAddress
            user = record.user
            sender = record.sender
            hasOwnTrust = record.authority != nil || record.fingerprint != nil
            changedAt = record.changedAt
        }
    }
    var account: Account?
}
