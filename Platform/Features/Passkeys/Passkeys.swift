import Accounts
import Foundation
import GRDB
import HubKit
import Logging
import Storage

/// The passkeys of the hub's adults: made, named, used to come in, and removed (WebAuthn; docs/adr/0055-passkeys.md).
public final class Passkeys: Sendable {
    /// The number of passkeys of one adult.
    static let most = 20
    /// The ways to a device that WebAuthn names (Level 3, 5.8.4).
    private static let transports: Set = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"]

    private let database: HubDatabase
    private let clock: HubClock
    private let accounts: Accounts
    private let log: Logger
    private let challenges = PasskeyChallenges()
    /// The challenges that an address may ask for: a page asks for one when it shows the sign-in, and for another when that is old.
    private let asked = RateLimiter(Rate(burst: 60, intervalMilliseconds: 2_000), capacity: 10_000)

    /// Creates the passkeys of a hub.
    public init(database: HubDatabase, clock: HubClock, accounts: Accounts, log: Logger) {
        self.database = database
        self.clock = clock
        self.accounts = accounts
        self.log = log
    }

    // MARK: Making one

    /// A challenge for a new passkey of the caller's account, with the passkeys that it has at this name.
    ///
    /// - Parameters:
    ///   - member: the caller.
    ///   - password: the account's password, since an open page may be in someone else's hands.
    ///   - party: the name by which the hub was opened.
    ///   - address: the client's address, for the limit of attempts.
    /// - Throws: a 403 problem on a device that the family shares; the errors of the account for a wrong password; a 409 problem
    ///   if there are as many as there may be.
    func challenge(of member: Member, password: String, at party: RelyingParty, address: String) async throws -> (
        challenge: [UInt8], existing: [PasskeyRecord]
    ) {
        // Whoever unlocks that device could use the passkey, and children know how.
        guard !member.isShared else { throw Problem.sharedDevice }
        guard let email = member.person.email else { throw Problem.noAccount }
        _ = try await accounts.person(
            email: email, password: password, address: address, signIn: member.signIn)
        let existing = try await all(of: member.person.id)
        guard existing.count < Self.most else { throw Problem.tooManyPasskeys(Self.most) }
        let challenge = challenges.make(
            .registration(signIn: member.signIn), relyingParty: party.id, owner: member.signIn, now: clock.now())
        return (challenge, existing.filter { $0.relyingParty == party.id })
    }

    /// Stores a new passkey of the caller's account.
    ///
    /// - Parameters:
    ///   - answer: what the browser sent.
    ///   - name: the name that its owner gives it.
    ///   - transports: the ways to the device, of which those that are known are stored.
    ///   - member: the caller.
    ///   - party: the name by which the hub was opened.
    /// - Throws: a 422 problem for an answer that is not right, a 409 problem for a passkey that is there already.
    func add(_ answer: Registration, name: String, transports: [String], of member: Member, at party: RelyingParty)
        async throws -> PasskeyRecord
    {
        let name = try name.checkedName()
        let made: Registration.Made
        let now = clock.now()
        do throws(WebAuthnError) {
            let challenge = try ClientData(answer.clientData).challenge
            try challenges.take(
                challenge, .registration(signIn: member.signIn), relyingParty: party.id, now: now)
            made = try answer.checked(
                CeremonyExpectation(challenge: challenge, origin: party.origin, relyingParty: party.id))
        } catch {
            throw Problem.notMade(error)
        }
        let record = PasskeyRecord(
            id: Secret.identifier(), person: member.person.id, credential: Data(made.id),
            publicKey: Data(made.publicKey), relyingParty: party.id, name: name, createdAt: now,
            signCount: made.signCount, isBackupEligible: made.isBackupEligible, isBackedUp: made.isBackedUp,
            transports: Self.transports.intersection(transports).sorted().joined(separator: ","))
        try await database.pool.write { db in
            guard try PersonRecord.fetchOne(db, key: record.person)?.password != nil else { throw Problem.noAccount }
            // 7.1, 22: whose ever it is.
            guard try PasskeyRecord.filter(sql: "credential = ?", arguments: [record.credential]).isEmpty(db) else {
                throw Problem(
                    .conflict, "Already there",
                    "This passkey is stored already. Choose another device, or remove it first.")
            }
            let count = try PasskeyRecord.filter(sql: "person = ?", arguments: [record.person]).fetchCount(db)
            guard count < Self.most else { throw Problem.tooManyPasskeys(Self.most) }
            try record.insert(db)
        }
        return record
    }

    // MARK: Coming in

    /// A challenge for coming in; nil where the hub has no passkey at this name.
    ///
    /// - Parameters:
    ///   - party: the name by which the hub was opened.
    ///   - address: the client's address, for the limit of challenges.
    /// - Throws: a 429 problem if the address asks too often.
    func challenge(at party: RelyingParty, address: String) async throws -> [UInt8]? {
        let now = clock.now()
        do { try asked.take(address, now: now) } catch { throw Problem.tooManyTries(error) }
        guard try await relyingParties().contains(party.id) else { return nil }
        return challenges.make(.signIn, relyingParty: party.id, owner: address, now: now)
    }

    /// The names at which somebody has a passkey.
    func relyingParties() async throws -> Set<String> {
        try await database.pool.read { db in
            try String.fetchSet(db, cached: "SELECT DISTINCT relying_party FROM passkey")
        }
    }

    /// The person who comes in with a passkey.
    ///
    /// - Parameters:
    ///   - answer: what the browser sent.
    ///   - party: the name by which the hub was opened.
    ///   - address: the client's address, for the limit of attempts.
    /// - Throws: a 401 problem for an answer that is not right, a 429 problem if it was tried too often.
    func person(_ answer: Assertion, at party: RelyingParty, address: String) async throws -> PersonRecord {
        try accounts.admit(address: address)
        let now = clock.now()
        let (record, person) = try await database.pool.read { db -> (PasskeyRecord?, PersonRecord?) in
            let record = try PasskeyRecord.filter(sql: "credential = ?", arguments: [Data(answer.id)]).fetchOne(db)
            return (record, try record.flatMap { try PersonRecord.fetchOne(db, key: $0.person) })
        }
        let used: Assertion.Used
        do throws(WebAuthnError) {
            let challenge = try ClientData(answer.clientData).challenge
            try challenges.take(challenge, .signIn, relyingParty: party.id, now: now)
            guard let record, let person, person.password != nil else { throw .signature }
            guard record.relyingParty == party.id else { throw .relyingParty }
            used = try answer.checked(
                Assertion.Known(
                    publicKey: Array(record.publicKey), user: Array(record.person.utf8), signCount: record.signCount),
                CeremonyExpectation(challenge: challenge, origin: party.origin, relyingParty: party.id))
        } catch {
            if error == .counter, let record { try await noteCounterBack(record, now: now) }
            throw Problem.notIn(error)
        }
        guard let record, let person else { throw Problem.notIn(.signature) }
        guard try await note(used, of: record, now: now) else {
            // Two answers at once: the other has gone on meanwhile, or the passkey was removed.
            throw Problem.notIn(.counter)
        }
        await accounts.arrived(from: address, household: person.household)
        return person
    }

    /// Notes a use.
    ///
    /// - Returns: whether its counter has still gone on.
    private func note(_ used: Assertion.Used, of record: PasskeyRecord, now: Int64) async throws -> Bool {
        try await database.pool.write { db in
            guard let stored = try PasskeyRecord.fetchOne(db, key: record.id),
                Assertion.hasGoneOn(from: stored.signCount, to: used.signCount)
            else { return false }
            try db.execute(
                cached: "UPDATE passkey SET used_at = ?, sign_count = ?, is_backed_up = ? WHERE id = ?",
                arguments: [now, used.signCount, used.isBackedUp, record.id])
            return true
        }
    }

    /// Notes that a counter has not gone on, for its owner to see.
    private func noteCounterBack(_ record: PasskeyRecord, now: Int64) async throws {
        log.warning("a passkey was refused because its counter has not gone on: Settings show which")
        try await database.pool.write { db in
            try db.execute(
                cached: "UPDATE passkey SET counter_back_at = ? WHERE id = ?", arguments: [now, record.id])
        }
    }

    // MARK: Looking after them

    /// The passkeys of a person, in the order in which they were made.
    func all(of person: String) async throws -> [PasskeyRecord] {
        try await database.pool.read { db in
            try PasskeyRecord.fetchAll(
                db, cached: "SELECT * FROM passkey WHERE person = ? ORDER BY created_at, id", arguments: [person])
        }
    }

    /// Gives a passkey another name.
    ///
    /// - Throws: a 404 problem if the person has no such passkey, a 422 problem for an invalid name.
    func rename(_ id: String, to name: String, of person: String) async throws -> PasskeyRecord {
        let name = try name.checkedName()
        return try await database.pool.write { db in
            guard var record = try PasskeyRecord.fetchOne(db, key: id), record.person == person else {
                throw Problem.noPasskey
            }
            record.name = name
            try record.update(db)
            return record
        }
    }

    /// Removes a passkey, which opens nothing from then on.
    ///
    /// - Throws: a 404 problem if the person has no such passkey.
    func remove(_ id: String, of person: String) async throws {
        try await database.pool.write { db in
            try db.execute(cached: "DELETE FROM passkey WHERE id = ? AND person = ?", arguments: [id, person])
            guard db.changesCount > 0 else { throw Problem.noPasskey }
        }
    }
}
