import HubKit
import Storage

/// The confirmation that an adult holds a shared device.
extension Accounts {
    /// Confirms with the account's password that its owner holds the device, for ``PolicyLimits/passwordMilliseconds``.
    ///
    /// - Parameters:
    ///   - member: the caller.
    ///   - password: the account's password.
    ///   - address: the client's address, for the limit of attempts.
    /// - Throws: a 403 problem at a child's profile, which is left by choosing another; the errors of
    ///   ``person(email:password:address:signIn:)`` for a wrong password.
    public func confirm(_ member: Member, password: String, address: String) async throws -> Member {
        guard member.profile.role == .adult, let email = member.person.email else {
            throw Problem(
                .forbidden, "For grown-ups", "\(member.profile.name) uses this device. Say who you are first.")
        }
        _ = try await person(
            email: email, password: password, address: address, signIn: member.signIn)
        return try await use(member.profile, of: member, confirmedAt: clock.now())
    }

    /// Sets which profile uses a device.
    ///
    /// - Parameter confirmedAt: the time at which the password was typed, in UTC milliseconds; nil if it was not.
    func use(_ profile: PersonRecord, of member: Member, confirmedAt: Int64?) async throws -> Member {
        try await database.pool.write { db in
            try db.execute(
                cached: "UPDATE sign_in SET profile = ?, confirmed_at = ? WHERE id = ?",
                arguments: [profile.id, confirmedAt, member.signIn])
        }
        var member = member
        member.profile = profile
        member.confirmedAt = confirmedAt
        return member
    }

    /// Sets whether the family shares the member's device, which then asks who is there whenever it is opened. From
    /// then on anyone may hold it, so the next thing that an adult does there needs the password.
    public func setShared(_ isShared: Bool, of member: Member) async throws -> Member {
        var member = member
        member.isShared = isShared
        if isShared { member.confirmedAt = nil }
        let confirmedAt = member.confirmedAt
        try await database.pool.write { [member] db in
            try db.execute(
                cached: "UPDATE sign_in SET is_shared = ?, confirmed_at = ? WHERE id = ?",
                arguments: [isShared, confirmedAt, member.signIn])
        }
        return member
    }
}
