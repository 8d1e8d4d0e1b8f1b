import Foundation
import GRDB
import Storage

/// A user of the original system: no account of the household's, and no person of it before an adult links it to one.
struct OriginalUser: Storage.TableRecord {
    static let databaseTableName = "toy_original_user"

    /// The numbers that a user may have: the toy keeps its own in a signed 16-bit integer, and prints it as one.
    static let numbers: ClosedRange<Int64> = 1...32_767

    /// The user's number, random among ``numbers``: it is all that the original's app and toy say of who they are. So
    /// few are guessed soon, and ``OriginalSystem`` limits how many are tried.
    var id: Int64
    var household: String
    /// The user's own listener; see ``heardAs(_:)``.
    var listener: Int64
    var username: String
    var email: String
    var password: Data
    /// UTC milliseconds.
    var createdAt: Int64
    /// The person that the user is linked to.
    var person: String?
    /// The number of facts that the user's toy fetched, and the number of them that it has played.
    var fetched: Int64
    var played: Int64
    /// The number of facts of its own card that the toy has played, before it fetched any.
    var cardPlays: Int64 = 0

    /// The listener who hears what the user's toy says: that of the person the user is linked to, else the user's own.
    func heardAs(_ db: Database) throws -> Int64 {
        guard let person else { return listener }
        return try FactQueue.listener(person: person, household: household, db)
    }

    /// Finds a user by number.
    ///
    /// - Returns: nil for a number that is nobody's in this household.
    static func find(_ id: Int64, household: String, _ db: Database) throws -> OriginalUser? {
        guard let user = try fetchOne(db, key: id), user.household == household else { return nil }
        return user
    }

    /// Finds a user by email.
    ///
    /// - Parameter email: in any case of its ASCII letters.
    static func find(email: String, household: String, _ db: Database) throws -> OriginalUser? {
        try fetchOne(
            db, cached: "SELECT * FROM toy_original_user WHERE household = ? AND email = ?",
            arguments: [household, email])
    }

    /// A new user under a number that nobody has.
    static func add(
        username: String, email: String, password: Data, household: String, now: Int64, _ db: Database
    ) throws -> OriginalUser {
        var id: Int64
        repeat {
            id = Int64.random(in: numbers)
        } while try fetchOne(db, key: id) != nil
        let user = OriginalUser(
            id: id, household: household, listener: try FactQueue.add(person: nil, household: household, db),
            username: username, email: email, password: password, createdAt: now, fetched: 0, played: 0)
        try user.insert(db)
        return user
    }
}

extension OriginalUser {
    /// Removes the user with what was heard and voted by their own number. What was heard by somebody whom they were
    /// linked to stays.
    func remove(_ db: Database) throws {
        try Votes.withdrawAll(of: listener, db)
        try delete(db)
        try db.execute(cached: "DELETE FROM toy_listener WHERE id = ?", arguments: [listener])
    }
}

/// The time in which users of the original system may register: for a few minutes after an adult has said so.
enum Registration {
    /// Opens it.
    ///
    /// - Returns: until when, UTC milliseconds.
    static func open(household: String, now: Int64, _ limits: ToyLimits, _ db: Database) throws -> Int64 {
        let until = now + limits.registrationMilliseconds
        try db.execute(
            cached: "INSERT OR REPLACE INTO toy_registration(household, open_until) VALUES (?, ?)",
            arguments: [household, until])
        return until
    }

    /// The time until which it is open, UTC milliseconds; nil where it is closed. A clock that was put back closes it.
    static func openUntil(household: String, now: Int64, _ limits: ToyLimits, _ db: Database) throws -> Int64? {
        let until = try Int64.fetchOne(
            db, cached: "SELECT open_until FROM toy_registration WHERE household = ?", arguments: [household])
        return until.flatMap { $0 > now && $0 - now <= limits.registrationMilliseconds ? $0 : nil }
    }
}
