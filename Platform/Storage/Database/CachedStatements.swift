import GRDB

// Statements that each connection prepares once and uses again. To prepare one takes longer than to run it, where it is found by
// a key; and what a page asks for is some forty of them. They are for SQL whose text is always the same: each text is kept, until
// its connection gives memory back or the schema changes.

extension Row {
    /// The first row of a query that is prepared once; nil where there is none.
    public static func fetchOne(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The rows of a query that is prepared once.
    public static func fetchAll(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension FetchableRecord {
    /// The first record of a query that is prepared once; nil where there is none.
    public static func fetchOne(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The records of a query that is prepared once.
    public static func fetchAll(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension DatabaseValueConvertible {
    /// The first value of a query that is prepared once; nil where there is none, and for NULL.
    public static func fetchOne(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    /// The values of a query that is prepared once.
    public static func fetchAll(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension DatabaseValueConvertible where Self: Hashable {
    /// The values of a query that is prepared once, each one time.
    public static func fetchSet(
        _ db: Database, cached sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        try fetchSet(db.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Database {
    /// Runs one statement that is prepared once, and whose arguments are small: they stay until it is used again.
    public func execute(cached sql: String, arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension TableRecord {
    /// The record with a primary key of one column; nil where there is none.
    public static func fetchOne(_ db: Database, key: some DatabaseValueConvertible) throws -> Self? {
        let column = try db.primaryKey(databaseTableName).columns[0]
        return try fetchOne(
            db, cached: "SELECT * FROM \(databaseTableName) WHERE \(column) = ?", arguments: [key])
    }

    /// The record with a key of several columns, which is unique; nil where there is none.
    public static func fetchOne(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> Self? {
        let (condition, values) = Self.condition(key)
        return try fetchOne(db, cached: "SELECT * FROM \(databaseTableName) WHERE \(condition)", arguments: values)
    }

    /// Whether there is a record with a key of several columns, which is unique.
    public static func exists(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> Bool {
        let (condition, values) = Self.condition(key)
        let found = try Int.fetchOne(
            db, cached: "SELECT 1 FROM \(databaseTableName) WHERE \(condition)", arguments: values)
        return found != nil
    }

    /// Deletes the record with a key of several columns, which is unique; returns whether there was one.
    @discardableResult
    public static func deleteOne(_ db: Database, key: [String: (any DatabaseValueConvertible)?]) throws -> Bool {
        let (condition, values) = Self.condition(key)
        try db.execute(cached: "DELETE FROM \(databaseTableName) WHERE \(condition)", arguments: values)
        return db.changesCount > 0
    }

    private static func condition(_ key: [String: (any DatabaseValueConvertible)?]) -> (String, StatementArguments) {
        let columns = key.keys.sorted()
        return (
            columns.map { "\($0) = ?" }.joined(separator: " AND "),
            StatementArguments(columns.map { key[$0] ?? nil })
        )
    }

    /// The record with a primary key of one column.
    ///
    /// - Throws: `RecordError.recordNotFound`.
    public static func find(_ db: Database, key: some DatabaseValueConvertible) throws -> Self {
        guard let record = try fetchOne(db, key: key) else { throw recordNotFound(db, key: key) }
        return record
    }
}
