import Foundation
import GRDB
import Storage
import Wire

/// Where a companion puts files that people and other programs read, into the archive of all that a household has. An import
/// does not read them: they say once more what is in the companion's tables.
public struct ReadableFiles {
    /// What is exported, of one moment.
    public let db: Database
    /// The same, for what reads it by itself.
    public let database: HubDatabase
    /// Whose it is.
    public let household: HouseholdRecord
    /// Everybody of it.
    public let people: [PersonRecord]
    /// UTC milliseconds.
    public let now: Int64
    private let begin: (String) throws -> Void
    private let write: ([UInt8]) throws -> Void
    private let end: () throws -> Void

    /// - Parameters:
    ///   - begin: begins a file of this name.
    ///   - write: goes on with it.
    ///   - end: ends it.
    package init(
        db: Database, database: HubDatabase, household: HouseholdRecord, people: [PersonRecord], now: Int64,
        begin: @escaping (String) throws -> Void, write: @escaping ([UInt8]) throws -> Void,
        end: @escaping () throws -> Void
    ) {
        (self.db, self.database, self.household, self.people, self.now) = (db, database, household, people, now)
        (self.begin, self.write, self.end) = (begin, write, end)
    }

    /// Adds a file as it is written, part by part.
    ///
    /// - Parameter name: its path below the companion's folder; made of parts of ``name(_:id:)`` where people named it.
    public func add(_ name: String, _ content: (_ sink: ([UInt8]) throws -> Void) throws -> Void) throws {
        try begin(name)
        try content(write)
        try end()
    }

    /// Adds a table for people (RFC 4180) of what a query answers; its columns are called with their units.
    public func addTable(_ name: String, sql: String, arguments: StatementArguments = []) throws {
        try add(name) { sink in
            let statement = try db.makeStatement(sql: sql)
            try sink(Self.line(statement.columnNames.map { CSV.field($0) }))
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                try sink(
                    Self.line(
                        row.databaseValues.map { value in
                            switch value.storage {
                            case .null: ""
                            case .int64(let number): "\(number)"
                            case .double(let number): "\(number)"
                            case .string(let text): CSV.field(text)
                            case .blob(let data): data.base64EncodedString()
                            }
                        }))
            }
        }
    }

    /// What people call something as a part of a file's name: letters, digits and hyphens of it, and its id.
    public static func name(_ text: String, id: String) -> String {
        let plain = text.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? String(scalar) : "-"
        }.joined().prefix(60)
        return
            "\(plain)-\(id.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }.map(String.init).joined())"
    }

    private static func line(_ fields: [String]) -> [UInt8] { Array((fields.joined(separator: ",") + "\r\n").utf8) }
}
