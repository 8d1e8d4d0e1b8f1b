import GRDB
import Storage

extension PersonRecord {
    /// The people of a household, adults first, each group in the order in which they were added.
    public static func all(of household: String, _ db: Database) throws -> [PersonRecord] {
        try PersonRecord.fetchAll(
            db, cached: "SELECT * FROM person WHERE household = ? ORDER BY role, created_at, id", arguments: [household]
        )
    }

    /// The person whom somebody names on the command line: by e-mail address or id, or else by name, in any case.
    ///
    /// - Throws: `UnknownPerson`, which lists the people.
    public static func named(_ name: String, _ db: Database) throws -> PersonRecord {
        let people = try PersonRecord.fetchAll(db, cached: "SELECT * FROM person ORDER BY role, created_at, id")
        let found = people.filter { $0.email?.lowercased() == name.lowercased() || $0.id == name }
        let named = found.isEmpty ? people.filter { $0.name.lowercased() == name.lowercased() } : found
        guard named.count == 1, let person = named.first else {
            throw UnknownPerson(name: name, people: people, isAmbiguous: named.count > 1)
        }
        return person
    }
}

/// An error for a name that nobody has, or more than one person.
public struct UnknownPerson: Error, CustomStringConvertible {
    /// The name that was typed.
    public var name: String
    /// The people to choose from.
    public var people: [PersonRecord]
    /// Whether more than one person has the name.
    public var isAmbiguous: Bool

    public var description: String {
        guard !people.isEmpty else { return "This hub has no people yet. Make the first account in its page." }
        let known = people.map { one in one.email.map { "\(one.name) (\($0))" } ?? "\(one.name) (\(one.id))" }
        let reason =
            isAmbiguous
            ? "More than one here is called “\(name)”: name the email, or the id."
            : "Nobody here is called “\(name)”."
        return "\(reason) There are: \(known.joined(separator: ", "))."
    }
}
