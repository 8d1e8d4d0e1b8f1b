import Foundation

extension Schema {
    /// Codes by which somebody who forgot a password chooses another.
    static let passwordResets = Migration("hub-password-resets") { db in
        try db.execute(
            sql: """
                -- One a person, the newest. The code itself is nowhere stored.
                CREATE TABLE password_reset(
                    person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE, code_hash BLOB NOT NULL UNIQUE,
                    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
                """)
    }
}

/// A code with which one person chooses a new password, once. The code itself is not stored.
public struct PasswordResetRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "password_reset"
    /// The id of the person.
    public var person: String
    /// The hash of the code.
    public var codeHash: Data
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it expires, in UTC milliseconds.
    public var expiresAt: Int64

    /// Creates a record.
    public init(person: String, codeHash: Data, createdAt: Int64, expiresAt: Int64) {
        self.person = person
        self.codeHash = codeHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
