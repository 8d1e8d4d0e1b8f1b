import Foundation
import GRDB
import HubKit
import Storage

/// The programs that read by HTTP: an adult makes a token for a person or for everyone, and for some companions.
///
/// A token is a row of `integration`, as that of a program that speaks MQTT. Its program reads in the stead of the person, or
/// for everyone in that of the adult who made it, with whom it ends; `Policy` says what that is.
extension Accounts {
    /// The number of programs that read, at most, in a household.
    public static let mostReaders = 50
    /// The interval at which the time of the last use is stored, so that reading a page does not write to the disk.
    private static let usedInterval: Int64 = 5 * 60_000

    /// A program that reads, with the slugs of its companions.
    public struct Reader: Sendable {
        /// The integration.
        public var record: IntegrationRecord
        /// The slugs of the companions that it reads.
        public var companions: [String]
    }

    /// Adds a program that reads.
    ///
    /// - Parameters:
    ///   - name: the program's name.
    ///   - person: the id of the person whose data it reads; nil for everyone's.
    ///   - companions: the slugs of the companions that it reads, all of them known.
    ///   - endsAt: the time at which it ends, in UTC milliseconds; nil for never.
    ///   - member: the adult who makes it.
    /// - Returns: the program, and its token, of which only a hash is stored.
    /// - Throws: a 422 problem in words for each mistake.
    func addReader(name: String, person: String?, companions: Set<String>, endsAt: Int64?, by member: Member)
        async throws -> (reader: Reader, token: String)
    {
        guard !companions.isEmpty else {
            throw Problem.field("companions", "Choose at least one thing that it may read.")
        }
        let now = clock.now()
        if let endsAt, endsAt <= now { throw Problem.field("endsAt", "Choose an end in the future.") }
        let token = Secret.token()
        var made = IntegrationRecord(
            id: Secret.identifier(length: 8), household: member.household, name: try name.checkedName(),
            tokenHash: Secret.hash(token), filters: "", createdAt: now)
        made.isReader = true
        made.maker = member.person.id
        made.person = person
        made.endsAt = endsAt
        let record = made
        try await database.pool.write { db in
            if let person {
                guard try PersonRecord.fetchOne(db, key: person)?.household == record.household else {
                    throw Problem.field("person", "Somebody of these does not live here any more. Load the page again.")
                }
            }
            let count = try Int.fetchOne(
                db, cached: "SELECT count(*) FROM integration WHERE household = ? AND is_reader",
                arguments: [record.household])
            guard count ?? 0 < Self.mostReaders else {
                throw Problem.field(
                    "name", "\(Self.mostReaders) programs read already. End one that nobody uses any more.")
            }
            try record.insert(db)
            for slug in companions {
                try db.execute(
                    cached: "INSERT INTO integration_companion VALUES (?, ?)", arguments: [record.id, slug])
            }
        }
        return (Reader(record: record, companions: companions.sorted()), token)
    }

    /// The programs that read, in the order in which they were added.
    func readers(household: String) async throws -> [Reader] {
        try await database.pool.read { db in
            try IntegrationRecord.fetchAll(
                db, cached: "SELECT * FROM integration WHERE household = ? AND is_reader ORDER BY created_at, id",
                arguments: [household]
            ).map { Reader(record: $0, companions: try Self.companions(of: $0.id, db).sorted()) }
        }
    }

    /// Ends a program that reads; its token is invalid from then on.
    ///
    /// - Throws: a 404 problem if the household has no such program.
    func removeReader(_ id: String, household: String) async throws {
        try await database.pool.write { db in
            try db.execute(
                cached: "DELETE FROM integration WHERE id = ? AND household = ? AND is_reader",
                arguments: [id, household])
            guard db.changesCount > 0 else {
                throw Problem.notFound("There is no such program here. It may have been removed.")
            }
        }
    }

    /// The member in whose stead a program with a token reads; nil if no program has it.
    ///
    /// - Throws: a 401 problem if the program's time is over.
    public func reader(token: String) async throws -> Member? {
        let hash = Secret.hash(token)
        let now = clock.now()
        let found = try await database.pool.read { db -> (IntegrationRecord, Member)? in
            guard
                let record = try IntegrationRecord.fetchOne(
                    db, cached: "SELECT * FROM integration WHERE token_hash = ? AND is_reader", arguments: [hash]),
                let subject = record.person ?? record.maker, let person = try PersonRecord.fetchOne(db, key: subject)
            else { return nil }
            var member = Member(person: person, profile: person, signIn: "program-\(record.id)")
            member.grant = ReadGrant(
                companions: try Self.companions(of: record.id, db), isForEveryone: record.person == nil)
            return (record, member)
        }
        guard let (record, member) = found else { return nil }
        if let endsAt = record.endsAt, endsAt <= now {
            throw Problem(
                .unauthorized, "This token has ended", "Its time is over. An adult can make another in Settings.")
        }
        if now - (record.usedAt ?? .min / 2) > Self.usedInterval {
            try? await database.pool.write { db in
                try db.execute(cached: "UPDATE integration SET used_at = ? WHERE id = ?", arguments: [now, record.id])
            }
        }
        return member
    }

    private static func companions(of id: String, _ db: Database) throws -> Set<String> {
        try String.fetchSet(
            db, cached: "SELECT companion FROM integration_companion WHERE integration = ?", arguments: [id])
    }
}
