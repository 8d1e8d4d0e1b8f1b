import HubKit
import Storage

/// Who holds a device: who said so, and when the password last showed it.
extension Accounts {
    /// Takes the account's password for who holds the device, for ``PolicyLimits/passwordMilliseconds``.
    ///
    /// - Parameter address: from where, for the limit of tries.
    /// - Throws: a 403 problem at a child's profile, which is left by choosing another; what
    ///   ``person(email:password:address:)`` throws for a wrong password.
    public func confirm(_ member: Member, password: String, address: String) async throws -> Member {
        guard member.profile.role == .adult, let email = member.person.email else {
            throw Problem(
                .forbidden, "For grown-ups", "\(member.profile.name) uses this device. Say who you are first.")
        }
        _ = try await person(
            email: email, password: password, address: address, signIn: member.signIn)
        return try await use(member.profile, of: member, confirmedAt: clock.now())
    }

    /// Says who uses a device from now on.
    ///
    /// - Parameter confirmedAt: when the password was typed for them, UTC milliseconds; nil where it was not.
    func use(_ profile: PersonRecord, of member: Member, confirmedAt: Int64?) async throws -> Member {
        try await database.pool.write { db in
            try db.execute(
                sql: "UPDATE sign_in SET profile = ?, confirmed_at = ? WHERE id = ?",
                arguments: [profile.id, confirmedAt, member.signIn])
        }
        var member = member
        member.profile = profile
        member.confirmedAt = confirmedAt
        return member
    }

    /// Says whether the family shares the device that a member uses: it then asks who is there whenever it is opened.
    /// From that moment on anybody may hold it, so that the next thing an adult does there takes the password.
    public func setShared(_ isShared: Bool, of member: Member) async throws -> Member {
        var member = member
        member.isShared = isShared
        if isShared { member.confirmedAt = nil }
        let confirmedAt = member.confirmedAt
        try await database.pool.write { [member] db in
            try db.execute(
                sql: "UPDATE sign_in SET is_shared = ?, confirmed_at = ? WHERE id = ?",
                arguments: [isShared, confirmedAt, member.signIn])
        }
        return member
    }
}
