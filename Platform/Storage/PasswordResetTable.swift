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

/// A code by which one person chooses a new password, once.
public struct PasswordResetRecord: TableRecord {
    public static let databaseTableName = "password_reset"
    public var person: String
    public var codeHash: Data
    /// UTC milliseconds, as every `At`.
    public var createdAt: Int64
    public var expiresAt: Int64

    public init(person: String, codeHash: Data, createdAt: Int64, expiresAt: Int64) {
        self.person = person
        self.codeHash = codeHash
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
