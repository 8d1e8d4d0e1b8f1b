import Foundation
import GRDB
import HubKit
import Storage

/// The people of a household.
extension Accounts {
    private static let longestFace = 20

    /// The changes of a person; nil leaves a value as it is.
    public struct PersonChanges: Sendable, Equatable {
        /// The name.
        public var name: String?
        /// The face; `.some(nil)` removes it.
        public var face: String??
        /// The year of birth; `.some(nil)` removes it.
        public var birthYear: Int??
        /// The IANA name of the time zone; `.some(nil)` returns to the household's.
        public var timeZone: String??

        /// Creates changes of the given values.
        public init(
            name: String? = nil, face: String?? = nil, birthYear: Int?? = nil, timeZone: String?? = nil
        ) {
            self.name = name
            self.face = face
            self.birthYear = birthYear
            self.timeZone = timeZone
        }
    }

    /// The people of a household, adults first, each group in the order in which they were added.
    public func people(household: String) async throws -> [PersonRecord] {
        try await database.pool.read { db in try PersonRecord.all(of: household, db) }
    }

    /// Adds a child, who has no password.
    public func addChild(household: String, name: String, birthYear: Int?, face: String?) async throws -> PersonRecord {
        try await database.pool.write { db in
            try addChild(household: household, name: name, birthYear: birthYear, face: face, db)
        }
    }

    /// Adds a child within a transaction.
    func addChild(household: String, name: String, birthYear: Int?, face: String?, _ db: Database) throws
        -> PersonRecord
    {
        let person = PersonRecord(
            id: Secret.identifier(), household: household, name: try name.checkedName(), role: .child,
            face: try face.map(Self.checked(face:)), birthYear: try birthYear.map(checked(birthYear:)),
            createdAt: try Self.timeBehindAll(of: household, now: clock.now(), db))
        try person.insert(db)
        return person
    }

    /// The time to note for somebody who is added now, UTC milliseconds: after everybody's who is there, since people stand in the
    /// order in which they came, also those of one millisecond.
    static func timeBehindAll(of household: String, now: Int64, _ db: Database) throws -> Int64 {
        let last = try Int64.fetchOne(
            db, cached: "SELECT max(created_at) FROM person WHERE household = ?", arguments: [household])
        return max(now, last.map { $0 + 1 } ?? now)
    }

    /// Changes a person's name, face, year of birth or time zone.
    ///
    /// - Throws: a 404 problem for an unknown person, a 422 problem for an invalid value.
    public func change(person id: String, _ changes: PersonChanges, household: String) async throws -> PersonRecord {
        let name = try changes.name.map { try $0.checkedName() }
        let face = try changes.face.map { try $0.map(Self.checked(face:)) }
        let birthYear = try changes.birthYear.map { try $0.map(checked(birthYear:)) }
        let timeZone = try changes.timeZone.map { try $0.map(Self.checked(timeZone:)) }
        let now = clock.now()
        return try await database.pool.write { db in
            guard var person = try PersonRecord.fetchOne(db, key: id), person.household == household else {
                throw Problem.notFound("There is no person here. It may have been removed.")
            }
            if let name { person.name = name }
            if let face { person.face = face }
            if let birthYear { person.birthYear = birthYear }
            if let timeZone, timeZone != person.timeZone {
                person.timeZone = timeZone
                person.timeZoneSince = now
            }
            try person.update(db)
            return person
        }
    }

    /// The handling of the data of an adult who leaves.
    public enum RemovedData: String, Sendable, CaseIterable {
        /// The data is deleted.
        case delete
        /// The data stays under their name. They cannot sign in any more.
        case keep
    }

    /// Removes a person with all their sign-ins, and those in which they were using the page; the last adult who can
    /// sign in stays.
    ///
    /// - Parameters:
    ///   - id: the person's id.
    ///   - data: the handling of an adult's data; a child's is always deleted.
    ///   - household: the household's id.
    /// - Returns: the ids of sign-ins that have ended.
    @discardableResult
    public func remove(person id: String, data: RemovedData = .delete, household: String) async throws -> Set<String> {
        let ended = try await database.pool.write { db in
            guard let person = try PersonRecord.fetchOne(db, key: id), person.household == household else {
                throw Problem.notFound("There is no person here. It may have been removed.")
            }
            let others = try PersonRecord.filter(
                sql: "household = ? AND password IS NOT NULL AND id <> ?", arguments: [household, id]
            ).fetchCount(db)
            guard person.role == .child || others > 0 else {
                throw Problem(
                    .conflict, "The last adult",
                    "A household keeps at least one adult who can sign in. To hand it over, invite another adult first."
                )
            }
            guard person.role == .adult || data == .delete else {
                throw Problem.field("data", "What is stored of a child goes with them. Download it first.")
            }
            let ended = try String.fetchSet(
                db, cached: "SELECT id FROM sign_in WHERE person = ? OR profile = ?", arguments: [id, id])
            switch data {
            case .delete: try person.delete(db)
            case .keep:
                try db.execute(cached: "UPDATE person SET email = NULL, password = NULL WHERE id = ?", arguments: [id])
                for table in ["sign_in", "password_reset", "passkey"] {
                    try db.execute(sql: "DELETE FROM \(table) WHERE person = ?", arguments: [id])
                }
                try db.execute(cached: "DELETE FROM sign_in WHERE profile = ?", arguments: [id])
                try db.execute(cached: "DELETE FROM invitation WHERE inviter = ?", arguments: [id])
                // Their channels, and the programs that they let in, end with them.
                try db.execute(cached: "DELETE FROM channel WHERE person = ?", arguments: [id])
                try db.execute(cached: "DELETE FROM integration WHERE maker = ?", arguments: [id])
            }
            try IdempotencyStore.forget(person: id, household: household, db)
            return ended
        }
        // The removal stands; old pages with the name go with the log.
        try await database.emptyLog(retryingEvery: .seconds(30))
        return ended
    }

    private func checked(birthYear: Int) throws -> Int {
        let year = Calendar(identifier: .gregorian).component(.year, from: .init(milliseconds: clock.now()))
        guard (year - 120...year).contains(birthYear) else {
            throw Problem.field("birthYear", "A year of birth lies between \(String(year - 120)) and \(String(year)).")
        }
        return birthYear
    }

    /// The name of a drawing, checked for its form only: the page knows which exist.
    private static func checked(face: String) throws -> String {
        let isName = face.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
        }
        guard !face.isEmpty, face.utf8.count <= longestFace, isName else {
            throw Problem.field("face", "A face is the name of a drawing, such as bear.")
        }
        return face
    }
}
