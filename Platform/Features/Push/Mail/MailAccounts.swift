import Foundation
import GRDB
import HubKit
import Localization
import Outbound
import Storage
import TLS

/// The household's e-mail account, by which reminders and codes are sent.
extension Push {
    /// An account, as an adult enters it.
    struct MailAccountInput: Sendable {
        var host: String
        var port: Int?
        var isStarttls: Bool
        var houseAddress: String?
        var user: String
        /// The password; nil or empty for the one that is stored.
        var password: String?
        /// The account's own address; nil if it is the name to sign in with.
        var sender: String?
        var authority, fingerprint: String?
    }

    /// The length of a name or a password, at most, in bytes.
    private static let longestSecret = 256

    /// The account of a household; nil if it has none.
    func mailAccount(household: String) async throws -> MailAccountRecord? {
        try await database.pool.read { db in try MailAccountRecord.fetchOne(db, key: household) }
    }

    /// Stores an account, once its server has let the hub in with it.
    ///
    /// - Throws: a 422 problem in words that names what has to change.
    func setMailAccount(_ input: MailAccountInput, household: String) async throws -> MailAccountRecord {
        let before = try await mailAccount(household: household)
        let account = try account(input, household: household, before: before)
        let host: ChosenHost
        do {
            host = try ChosenHost(
                .smtp, host: account.host, port: account.port, houseAddress: input.houseAddress)
            try await outbound.check(host)
        } catch {
            throw Self.problem(error)
        }
        var checked = account
        checked.host = host.host
        checked.houseAddress = host.houseAddress?.description
        do {
            try await outbound.checkSignIn(checked, at: host)
        } catch let fault as MailFault {
            throw Problem.field(fault.field, detail: fault.words)
        }
        let record = checked
        try await database.pool.write { db in
            _ = try MailAccountRecord.deleteOne(db, key: household)
            try record.insert(db)
        }
        return record
    }

    /// Removes the account. Channels by e-mail stay, and say that there is none.
    func removeMailAccount(household: String) async throws {
        try await database.pool.write { db in _ = try MailAccountRecord.deleteOne(db, key: household) }
    }

    private func account(_ input: MailAccountInput, household: String, before: MailAccountRecord?) throws
        -> MailAccountRecord
    {
        let host = input.host.trimmingCharacters(in: .whitespaces).lowercased()
        let user = input.user.trimmingCharacters(in: .whitespaces)
        guard !user.isEmpty, user.utf8.count <= Self.longestSecret, !user.contains("\0") else {
            throw Problem.field("user", "Type the name that the mail server knows, often the whole address.")
        }
        let isSame = before?.host == host && before?.user == user
        let typed = input.password.flatMap { $0.isEmpty ? nil : $0 }
        guard let password = typed ?? (isSame ? before?.password : nil), password.utf8.count <= Self.longestSecret,
            !password.contains("\0")
        else { throw Problem.field("password", "Type the password of this account.") }
        let address = input.sender?.trimmingCharacters(in: .whitespaces) ?? ""
        guard let sender = MailAddress(address.isEmpty ? user : address) else {
            throw Problem.field("sender", "Type the email address of this account.")
        }
        var record = MailAccountRecord(
            household: household, host: host, port: input.port ?? (input.isStarttls ? 587 : 465),
            isStarttls: input.isStarttls, user: user, password: password, sender: sender.text, changedAt: clock.now())
        record.authority = input.authority.flatMap { $0.isEmpty ? nil : $0 }
        record.fingerprint = input.fingerprint.flatMap { $0.isEmpty ? nil : $0 }
        // A page that changes something else does not know these.
        if let before, isSame, record.authority == nil, record.fingerprint == nil {
            (record.authority, record.fingerprint) = (before.authority, before.fingerprint)
        }
        guard
            (try? ServerTrust(host: host, authority: record.authority, fingerprint: record.fingerprint)) != nil
        else {
            throw Problem.field(
                record.fingerprint == nil ? "authority" : "fingerprint",
                "This is no certificate (PEM), or no fingerprint of 64 hexadecimal digits.")
        }
        return record
    }

    private static func problem(_ error: any Error) -> any Error {
        guard case .refused(let reason)? = error as? ChosenHost.Fault else { return Channels.problem(error) }
        return Problem.field("host", detail: LocalizedText("This mail server is not taken: \(reason)."))
    }
}

extension MailFault {
    /// The input that has to change.
    fileprivate var field: String {
        switch self {
        case .wrongPassword: "password"
        case .untrusted: "authority"
        default: "host"
        }
    }
}
