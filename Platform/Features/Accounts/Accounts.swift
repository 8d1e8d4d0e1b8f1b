import Foundation
import GRDB
import HubKit
import Localization
import Logging
import Storage
import Synchronization
import Wire

/// The people of the hub, how they sign in, and how the first account is created.
public final class Accounts: Sendable {
    let database: HubDatabase
    let clock: HubClock
    let limits: AccountLimits
    let guesses: GuessLimits
    let log: GuessLog
    private let cost: PasswordCost
    private let hasher: PasswordHasher
    private let founding = Mutex<AccessCode?>(nil)

    static let shortestPassword = 8
    private static let longestText = 200
    private static let longestPassword = 1_024

    /// Creates the accounts of a hub.
    public init(
        database: HubDatabase, clock: HubClock, cost: PasswordCost, limits: AccountLimits, hasher: PasswordHasher,
        log: Logger
    ) {
        self.database = database
        self.clock = clock
        self.cost = cost
        self.limits = limits
        guesses = GuessLimits(limits)
        self.hasher = hasher
        self.log = GuessLog(log)
    }

    // MARK: The first account

    /// Whether nobody has an account yet.
    public func isEmpty() async throws -> Bool {
        try await database.pool.read { db in
            try PersonRecord.filter(sql: "password IS NOT NULL").isEmpty(db)
        }
    }

    /// The code that the terminal shows and the first account needs: whoever can read the terminal owns the hub. Each
    /// run of the hub has another.
    public func foundingCode() -> String {
        founding.withLock { code in
            let made = code ?? .random()
            code = made
            return "\(made)"
        }
    }

    /// Creates the household and its first adult; the first-run setup continues with the children.
    public func found(
        code: String, household: String, name: String, email: String, password: String, timeZone: String,
        address: String, language: Language? = nil
    ) async throws -> PersonRecord {
        try guesses.takeCode(from: address, now: clock.now())
        guard let expected = founding.withLock({ $0 }), let typed = AccessCode(code),
            Secret.areEqual(expected.hash, typed.hash)
        else {
            countWrongCode()
            let problem = Problem.field("code", "That is not the code in the terminal where the hub was started.")
            try Self.check(name: name, email: email, password: password, household: household, code: problem)
            throw problem
        }
        guesses.codeSucceeded(from: address)
        let person = try await addAdult(
            name: name, email: email, password: password, household: household, timeZone: timeZone, mustBeFirst: true,
            setupStep: .children, language: language)
        founding.withLock { $0 = nil }
        await know(address: address, household: person.household)
        return person
    }

    /// Adds an adult to the household or, if there is none, to a new one with the given name.
    public func addAdult(
        name: String, email: String, password: String, household: String? = nil, timeZone: String? = nil,
        isDemo: Bool = false, mustBeFirst: Bool = false, invitation: Data? = nil,
        setupStep: HouseholdRecord.SetupStep? = nil, language: Language? = nil
    ) async throws -> PersonRecord {
        try Self.check(name: name, email: email, password: password, household: household)
        let name = try name.checkedName()
        let email = try Self.checked(email: email)
        let householdName = try household.map { try $0.checkedName(field: "household") }
        // Before the transaction: the hash takes a while on purpose.
        let turn = PasswordHasher.Turn(account: invitation?.base64EncodedString() ?? email.lowercased(), isKnown: true)
        let hash = try await hasher.make(password, cost: cost, for: turn)
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
            if let invitation { try Self.use(invitation: invitation, db) }
            var home: HouseholdRecord
            if let existing = try HouseholdRecord.fetchOne(db) {
                home = existing
            } else {
                home = HouseholdRecord(
                    id: Secret.identifier(), name: householdName ?? "\(name)’s household", timeZone: zone.identifier,
                    createdAt: now, isDemo: isDemo, setupStep: setupStep)
                home.language = language?.tag
                try home.insert(db)
            }
            let person = PersonRecord(
                id: Secret.identifier(), household: home.id, name: name, role: .adult, email: email, password: hash,
                createdAt: try Self.timeBehindAll(of: home.id, now: now, db))
            try person.insert(db)
            return person
        }
    }

    /// Sets another password for an account. Its sign-ins stay.
    public func setPassword(email: String, password: String) async throws {
        let hash = try await hash(password, of: email)
        try await database.pool.write { db in
            try db.execute(cached: "UPDATE person SET password = ? WHERE email = ?", arguments: [hash, email])
        }
    }

    // MARK: Signing in

    /// Checks e-mail address and password; see ``AccountLimits`` for how often. The answer takes as long for an unknown
    /// e-mail address.
    ///
    /// - Parameters:
    ///   - email: the e-mail address.
    ///   - password: the password.
    ///   - address: the client's address.
    ///   - signIn: the id of the device's sign-in, if it has one.
    /// - Throws: a 401 problem for a wrong pair, a 429 problem if it was tried too often.
    public func person(email: String, password: String, address: String, signIn: String? = nil) async throws
        -> PersonRecord
    {
        guard email.utf8.count <= Self.longestText, password.utf8.count <= Self.longestPassword else {
            throw Problem(
                .unauthorized, "Not signed in", "That password does not belong to this email.", field: "password")
        }
        let now = clock.now()
        try guesses.admit(address: address, now: now)
        let since = now - limits.unusedSignInMilliseconds
        let (found, isKnownAddress) = try await database.pool.read { db in
            (
                try PersonRecord.filter(sql: "email = ?", arguments: [email]).fetchOne(db),
                try Self.isKnown(address: address, since: since, db)
            )
        }
        let attempt = GuessLimits.PasswordTry(
            email: email, address: address, signIn: signIn, isKnown: signIn != nil || isKnownAddress)
        let left = try guesses.take(attempt, now: now)
        // A hash is derived for an unknown email too, so that the answer takes as long.
        let unknown = "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$AAAA$AAAA"
        let isRight: Bool
        do {
            isRight = try await hasher.matches(
                password, found?.password ?? Data(unknown.utf8),
                for: .init(account: attempt.email, isKnown: attempt.isKnown))
        } catch {
            guesses.giveBack(attempt)
            throw error
        }
        guard isRight, let found else {
            try await failed(person: found, address: address)
            throw Problem(
                .unauthorized, "Not signed in",
                "That password does not belong to this email. \(GuessLimits.words(left)) this minute.",
                field: "password")
        }
        guesses.succeeded(attempt)
        await know(address: address, household: found.household)
        return found
    }

    /// Starts a sign-in that lasts until it is ended or not used for months. Its token is stored only as a hash.
    ///
    /// - Parameters:
    ///   - person: the person as read when the password was checked.
    ///   - agent: the name of the browser.
    /// - Throws: a 401 problem if the person has left or changed the password since.
    public func signIn(_ person: PersonRecord, agent: String) async throws -> (token: String, member: Member) {
        let token = Secret.token()
        let record = SignInRecord(
            id: Secret.identifier(), tokenHash: Secret.hash(token), person: person.id, profile: person.id,
            agent: String(agent.prefix(Self.longestText)), createdAt: clock.now(), seenAt: clock.now(),
            confirmedAt: clock.now())
        try await database.pool.write { db in
            // Checking a password takes a while on purpose.
            guard try PersonRecord.fetchOne(db, key: person.id)?.password == person.password else {
                throw Problem(
                    .unauthorized, "Not signed in", "That password does not belong to this email any more.",
                    field: "password")
            }
            try record.insert(db)
        }
        return (
            token, Member(person: person, profile: person, signIn: record.id, confirmedAt: record.confirmedAt)
        )
    }

    /// The member with a token; nil if there is none, or the sign-in was not used for months, see
    /// ``AccountLimits/unusedSignInDays``.
    public func member(token: String) async throws -> Member? {
        let hash = Secret.hash(token)
        let now = clock.now()
        let found = try await database.pool.read { db -> (SignInRecord, Member)? in
            guard
                let record = try SignInRecord.fetchOne(
                    db, cached: "SELECT * FROM sign_in WHERE token_hash = ?", arguments: [hash]),
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
        guard now - record.seenAt < limits.unusedSignInMilliseconds else {
            try await end(signIn: record.id, household: member.household)
            return nil
        }
        // Seldom enough that reading a page does not write to the disk.
        if now - record.seenAt > 3_600_000 {
            try? await database.pool.write { db in
                try db.execute(cached: "UPDATE sign_in SET seen_at = ? WHERE id = ?", arguments: [now, record.id])
            }
        }
        return member
    }

    /// Sets which profile uses the page. From a child's profile to an adult's, and to an adult's on a shared device,
    /// the account's password is needed.
    public func setProfile(_ id: String, of member: Member, password: String?, address: String) async throws -> Member {
        let people = try await people(household: member.household)
        guard let profile = people.first(where: { $0.id == id }) else {
            throw Problem.notFound("There is no person here. It may have been removed.")
        }
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
            _ = try await self.person(
                email: email, password: password, address: address, signIn: member.signIn)
            return try await use(profile, of: member, confirmedAt: clock.now())
        }
        return try await use(profile, of: member, confirmedAt: profile.role == .adult ? member.confirmedAt : nil)
    }

    /// The sign-ins of a household's accounts, the latest first.
    public func signIns(household: String) async throws -> [SignInRecord] {
        let since = clock.now() - limits.unusedSignInMilliseconds
        return try await database.pool.read { db in
            try SignInRecord.fetchAll(
                db,
                cached: """
                    SELECT sign_in.* FROM sign_in JOIN person ON person.id = sign_in.person
                    WHERE person.household = ? AND seen_at > ? ORDER BY seen_at DESC
                    """, arguments: [household, since])
        }
    }

    /// Ends a sign-in; its token is invalid from then on.
    ///
    /// - Returns: whether the household had such a sign-in.
    @discardableResult
    public func end(signIn id: String, household: String) async throws -> Bool {
        try await database.pool.write { db in
            try db.execute(
                cached: "DELETE FROM sign_in WHERE id = ? AND person IN (SELECT id FROM person WHERE household = ?)",
                arguments: [id, household])
            return db.changesCount > 0
        }
    }

    /// The hash of a password, for storing.
    func hash(_ password: String, of email: String) async throws -> Data {
        try await hasher.make(password, cost: cost, for: .init(account: email.lowercased(), isKnown: true))
    }

    // MARK: Checks

    /// Checks all inputs of a new account.
    ///
    /// - Parameter code: the problem of the code that came with them.
    /// - Throws: the first problem, with all of them in its `errors`.
    static func check(name: String, email: String, password: String, household: String?, code: Problem? = nil) throws {
        var checks = FieldChecks()
        try checks.run { if let code { throw code } }
        try checks.run { try household.map { try $0.checkedName(field: "household") } }
        try checks.run { try name.checkedName() }
        try checks.run { try checked(email: email) }
        try checks.run { try check(password: password) }
        try checks.finish()
    }

    static func check(password: String, field: String = "password") throws {
        guard password.count >= shortestPassword, password.utf8.count <= longestPassword else {
            throw Problem.field(field, "A password has at least \(shortestPassword) characters.")
        }
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
