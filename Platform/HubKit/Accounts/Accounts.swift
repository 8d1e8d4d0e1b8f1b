import Foundation
import GRDB
import Storage
import Synchronization

/// People, how they sign in, and how the first of them comes to be.
public final class Accounts: Sendable {
    let database: HubDatabase
    let clock: HubClock
    private let cost: PasswordHash.Cost
    private let limiter = SignInLimiter()
    private let hasher = PasswordHasher()
    private let founding = Mutex<String?>(nil)

    static let invitationMilliseconds: Int64 = 7 * 24 * 3_600_000
    static let shortestPassword = 8
    private static let longestText = 200
    private static let longestPassword = 1_024

    init(database: HubDatabase, clock: HubClock, cost: PasswordHash.Cost) {
        self.database = database
        self.clock = clock
        self.cost = cost
    }

    // MARK: The first account

    /// Whether nobody can sign in yet.
    public func isEmpty() async throws -> Bool {
        try await database.pool.read { db in
            try PersonRecord.filter(sql: "password IS NOT NULL").isEmpty(db)
        }
    }

    /// The code that the terminal shows and the first account needs: whoever can read it runs the hub.
    public func foundingCode() -> String {
        founding.withLock { code in
            let made = code ?? Secret.code()
            code = made
            return made
        }
    }

    /// Makes the household and its first adult; the first run goes on with the children.
    public func found(
        code: String, household: String, name: String, email: String, password: String, timeZone: String,
        address: String
    ) async throws -> PersonRecord {
        _ = try limiter.take("setup \(address)", now: clock.now())
        guard let expected = founding.withLock({ $0 }),
            Secret.areEqual(Data(expected.utf8), Data(code.trimmingCharacters(in: .whitespaces).utf8))
        else {
            throw Problem.field("code", "That is not the code in the terminal where the hub was started.")
        }
        let person = try await addAdult(
            name: name, email: email, password: password, household: household, timeZone: timeZone, mustBeFirst: true,
            setupStep: .children)
        founding.withLock { $0 = nil }
        return person
    }

    /// Adds an adult, to the one household or, when there is none, to a new one of the given name.
    public func addAdult(
        name: String, email: String, password: String, household: String? = nil, timeZone: String? = nil,
        isDemo: Bool = false, mustBeFirst: Bool = false, invitation: Data? = nil,
        setupStep: HouseholdRecord.SetupStep? = nil
    ) async throws -> PersonRecord {
        let name = try Self.checked(name: name)
        let email = try Self.checked(email: email)
        guard password.count >= Self.shortestPassword, password.utf8.count <= Self.longestPassword else {
            throw Problem.field("password", "A password has at least \(Self.shortestPassword) characters.")
        }
        let householdName = try household.map { try Self.checked(name: $0, field: "household") }
        // Before the transaction: the hash takes a while on purpose.
        let hash = try await hasher.make(password, cost: cost)
        let now = clock.now()
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
        return try await database.pool.write { db in
            if mustBeFirst, try !PersonRecord.filter(sql: "password IS NOT NULL").isEmpty(db) {
                throw Problem(
                    .conflict, "Already set up", "This hub has its first account. Ask its owner for an invitation.")
            }
            guard try PersonRecord.filter(sql: "email = ?", arguments: [email]).isEmpty(db) else {
                throw Problem(.conflict, "Already there", "Somebody signs in with this email already.", field: "email")
            }
            // In the same transaction, so that one code makes one account.
            if let invitation, try !InvitationRecord.deleteOne(db, key: invitation) {
                throw Problem.field("code", "This invitation has just been used. Ask for a new one.")
            }
            let home: HouseholdRecord
            if let existing = try HouseholdRecord.fetchOne(db) {
                home = existing
            } else {
                home = HouseholdRecord(
                    id: Secret.identifier(), name: householdName ?? "\(name)’s household", timeZone: zone.identifier,
                    createdAt: now, isDemo: isDemo, setupStep: setupStep)
                try home.insert(db)
            }
            let person = PersonRecord(
                id: Secret.identifier(), household: home.id, name: name, role: .adult, email: email, password: hash,
                createdAt: now)
            try person.insert(db)
            return person
        }
    }

    /// Gives an account another password. Its sign-ins stay.
    public func setPassword(email: String, password: String) async throws {
        let hash = try await hasher.make(password, cost: cost)
        try await database.pool.write { db in
            try db.execute(sql: "UPDATE person SET password = ? WHERE email = ?", arguments: [hash, email])
        }
    }

    // MARK: Invitations

    /// A code by which one more adult may join within a week.
    public func invite(from member: Member) async throws -> (code: String, expiresAt: Int64) {
        let code = Secret.code()
        let record = InvitationRecord(
            codeHash: Secret.hash(code), household: member.household, inviter: member.person.id,
            expiresAt: clock.now() + Self.invitationMilliseconds)
        try await database.pool.write { db in try record.insert(db) }
        return (code, record.expiresAt)
    }

    /// Makes the account of somebody invited. The code is used up only when the account was made.
    public func join(code: String, name: String, email: String, password: String, address: String) async throws
        -> PersonRecord
    {
        _ = try limiter.take("join \(address)", now: clock.now())
        let hash = Secret.hash(code.trimmingCharacters(in: .whitespaces))
        let now = clock.now()
        let isValid = try await database.pool.read { db in
            try InvitationRecord.fetchOne(db, key: hash).map { $0.expiresAt > now } ?? false
        }
        guard isValid else {
            throw Problem.field("code", "This invitation is unknown, used or older than a week. Ask for a new one.")
        }
        return try await addAdult(name: name, email: email, password: password, invitation: hash)
    }

    // MARK: Signing in

    /// Checks email and password. Five wrong tries a minute for an email, thirty from an address, then it waits.
    public func person(email: String, password: String, address: String) async throws -> PersonRecord {
        guard email.utf8.count <= Self.longestText, password.utf8.count <= Self.longestPassword else {
            throw Problem(
                .unauthorized, "Not signed in", "That password does not belong to this email.", field: "password")
        }
        let key = "\(email.lowercased()) \(address)"
        // Counted before it is checked, so that a thousand at once are no more than five.
        _ = try limiter.take(address, now: clock.now(), limit: SignInLimiter.triesOfAnAddress)
        let left = try limiter.take(key, now: clock.now())
        let found = try await database.pool.read { db in
            try PersonRecord.filter(sql: "email = ?", arguments: [email]).fetchOne(db)
        }
        // A hash is derived for an unknown email too, so that the answer takes as long.
        let unknown = "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$AAAA$AAAA"
        let isRight = await hasher.matches(password, found?.password ?? Data(unknown.utf8))
        guard isRight, let found else {
            throw Problem(
                .unauthorized, "Not signed in",
                "That password does not belong to this email. \(SignInLimiter.words(left)) this minute.",
                field: "password")
        }
        limiter.succeeded(key)
        return found
    }

    /// Starts a sign-in that lasts until it is ended, and returns its token, which is stored only as a hash.
    public func signIn(_ person: PersonRecord, agent: String) async throws -> (token: String, member: Member) {
        let token = Secret.token()
        let record = SignInRecord(
            id: Secret.identifier(), tokenHash: Secret.hash(token), person: person.id, profile: person.id,
            agent: String(agent.prefix(Self.longestText)), createdAt: clock.now(), seenAt: clock.now(),
            confirmedAt: clock.now())
        try await database.pool.write { db in try record.insert(db) }
        return (
            token, Member(person: person, profile: person, signIn: record.id, confirmedAt: record.confirmedAt)
        )
    }

    /// Who holds a token.
    public func member(token: String) async throws -> Member? {
        let hash = Secret.hash(token)
        let now = clock.now()
        let found = try await database.pool.read { db -> (SignInRecord, Member)? in
            guard let record = try SignInRecord.filter(sql: "token_hash = ?", arguments: [hash]).fetchOne(db),
                let person = try PersonRecord.fetchOne(db, key: record.person)
            else { return nil }
            let profile = try PersonRecord.fetchOne(db, key: record.profile) ?? person
            return (
                record,
                Member(
                    person: person, profile: profile, signIn: record.id, isShared: record.isShared,
                    confirmedAt: record.confirmedAt)
            )
        }
        guard let (record, member) = found else { return nil }
        // Seldom enough that reading a page does not write to the disk.
        if now - record.seenAt > 3_600_000 {
            try? await database.pool.write { db in
                try db.execute(sql: "UPDATE sign_in SET seen_at = ? WHERE id = ?", arguments: [now, record.id])
            }
        }
        return member
    }

    /// Says who is using the page. From a child's profile back to an adult's, and to an
    /// adult's on a device that the family shares, needs the account's password.
    public func setProfile(_ id: String, of member: Member, password: String?, address: String) async throws -> Member {
        let people = try await people(household: member.household)
        guard let profile = people.first(where: { $0.id == id }) else { throw Problem.notFound("person") }
        // On a device that the family shares whoever holds it may be a child, whatever it was left as.
        if profile.role == .adult, member.profile.role == .child || member.isShared {
            guard let password, let email = member.person.email else {
                throw Problem(
                    .forbidden, "For grown-ups",
                    member.profile.role == .child
                        ? "To leave \(member.profile.name)’s profile, type your password."
                        : "The family shares this device: type your password.",
                    field: "password")
            }
            _ = try await self.person(email: email, password: password, address: address)
            return try await use(profile, of: member, confirmedAt: clock.now())
        }
        return try await use(profile, of: member, confirmedAt: profile.role == .adult ? member.confirmedAt : nil)
    }

    /// Where a household's accounts are signed in, the latest first.
    public func signIns(household: String) async throws -> [SignInRecord] {
        try await database.pool.read { db in
            try SignInRecord.fetchAll(
                db,
                sql: """
                    SELECT sign_in.* FROM sign_in JOIN person ON person.id = sign_in.person
                    WHERE person.household = ? ORDER BY seen_at DESC
                    """, arguments: [household])
        }
    }

    /// Ends a sign-in; its token is worth nothing from then on.
    ///
    /// - Returns: whether the household had such a sign-in.
    @discardableResult
    public func end(signIn id: String, household: String) async throws -> Bool {
        try await database.pool.write { db in
            try db.execute(
                sql: "DELETE FROM sign_in WHERE id = ? AND person IN (SELECT id FROM person WHERE household = ?)",
                arguments: [id, household])
            return db.changesCount > 0
        }
    }

    // MARK: Checks

    static func checked(name: String, field: String = "name") throws -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= 60,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Problem.field(field, "A name has between 1 and 60 characters, on one line.") }
        return name
    }

    static func checked(email: String) throws -> String {
        let email = email.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), email.utf8.count <= longestText,
            !email.contains(where: \.isWhitespace)
        else { throw Problem.field("email", "An email looks like name@example.org.") }
        return email
    }
}

extension Date {
    /// From UTC milliseconds, as the hub keeps time.
    public init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
