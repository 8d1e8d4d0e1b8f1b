import Foundation
import GRDB
import Storage
import Wire

/// The files of a companion that people and other programs read, added to the archive of a household's data. An import
/// ignores them, since they repeat what is in the companion's tables.
public struct ReadableFiles {
    /// The database, in a transaction that sees one moment.
    public let db: Database
    /// The same database, for functions that read it by themselves.
    public let database: HubDatabase
    /// The household whose data is exported.
    public let household: HouseholdRecord
    /// The people whose data is exported: everybody of the household, or one.
    public let people: [PersonRecord]
    /// The id of the one person whose data is exported; nil for the household's. What belongs to nobody is then left out.
    public let onlyPerson: String?
    /// The current time, in UTC milliseconds.
    public let now: Int64
    /// The form of the tables.
    public let form: TableForm
    private let begin: (String) throws -> Void
    private let write: ([UInt8]) throws -> Void
    private let end: () throws -> Void

    /// Creates a set of files that passes them on to an archive.
    ///
    /// - Parameters:
    ///   - onlyPerson: the id of the one person whose data is exported; nil for the household's.
    ///   - form: the form of the tables.
    ///   - begin: begins a file with a name.
    ///   - write: appends bytes to the file.
    ///   - end: ends the file.
    package init(
        db: Database, database: HubDatabase, household: HouseholdRecord, people: [PersonRecord],
        onlyPerson: String? = nil, now: Int64, form: TableForm = .plain, begin: @escaping (String) throws -> Void,
        write: @escaping ([UInt8]) throws -> Void,
        end: @escaping () throws -> Void
    ) {
        (self.db, self.database, self.household, self.people, self.now) = (db, database, household, people, now)
        self.onlyPerson = onlyPerson
        self.form = form
        (self.begin, self.write, self.end) = (begin, write, end)
    }

    /// Adds a file that is written part by part.
    ///
    /// - Parameters:
    ///   - name: its path below the companion's folder, made with ``name(_:id:)`` if a person chose the name.
    ///   - content: writes the file to a sink.
    public func add(_ name: String, _ content: (_ sink: ([UInt8]) throws -> Void) throws -> Void) throws {
        try begin(name)
        try content(write)
        try end()
    }

    /// Adds the result of a query as a table. The column names should include the units.
    public func addTable(_ name: String, sql: String, arguments: StatementArguments = []) throws {
        try add(name) { sink in
            let statement = try db.makeStatement(sql: sql)
            var table = TableWriter(form)
            table.line(statement.columnNames)
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                table.line(row.databaseValues.map(Self.cell))
                try sink(table.take())
            }
            try sink(table.take())
        }
    }

    private static func cell(_ value: DatabaseValue) -> TableCell {
        switch value.storage {
        case .null: .empty
        case .int64(let number): .number("\(number)")
        case .double(let number): .number("\(number)")
        case .string(let text): .text(text)
        case .blob(let data): .text(data.base64EncodedString())
        }
    }

    /// A part of a file name, made of a name that a person chose: its letters and digits, with hyphens for the rest,
    /// and an id.
    public static func name(_ text: String, id: String) -> String {
        let plain = text.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? String(scalar) : "-"
        }.joined().prefix(60)
        return
            "\(plain)-\(id.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }.map(String.init).joined())"
    }
}
