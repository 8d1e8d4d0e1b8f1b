import Foundation
import GRDB

extension Schema {
    /// Invitations that can be listed and withdrawn, and what is known of whoever tries to sign in.
    static let accounts = Migration("hub-accounts") { db in
        try db.execute(
            sql: """
                -- Beside the hash of its code, which is not told again: what it is called, when it was made, withdrawn.
                ALTER TABLE invitation ADD COLUMN id TEXT;
                ALTER TABLE invitation ADD COLUMN created_at INTEGER;
                ALTER TABLE invitation ADD COLUMN withdrawn_at INTEGER;
                -- Those of before were good for a week from the start.
                UPDATE invitation SET id = lower(hex(randomblob(8))), created_at = expires_at - 604800000;
                CREATE UNIQUE INDEX invitation_id ON invitation(id);
                -- From where somebody of the household has signed in.
                CREATE TABLE known_address(
                    household TEXT NOT NULL REFERENCES household, address TEXT NOT NULL, at INTEGER NOT NULL,
                    PRIMARY KEY(household, address)) WITHOUT ROWID;
                -- Wrong passwords: a line an account and address and hour. Of an email that nobody has, nothing is kept.
                CREATE TABLE failed_sign_in(
                    id INTEGER PRIMARY KEY, household TEXT NOT NULL REFERENCES household,
                    person TEXT REFERENCES person ON DELETE CASCADE, address TEXT NOT NULL, tries INTEGER NOT NULL,
                    first_at INTEGER NOT NULL, last_at INTEGER NOT NULL);
                CREATE INDEX failed_sign_in_first ON failed_sign_in(household, first_at);
                """)
    }
}

/// An invitation, with whose code one more adult may join a household, once. The code itself is not stored.
public struct InvitationRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "invitation"
    /// The hash of the code.
    public var codeHash: Data
    /// The id, by which it can be withdrawn.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The id of the adult who made it.
    public var inviter: String
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it expires, in UTC milliseconds.
    public var expiresAt: Int64
    /// The time at which an adult withdrew it, in UTC milliseconds. It is kept so that somebody who uses it gets an
    /// error that says so.
    public var withdrawnAt: Int64?

    /// Creates a record.
    public init(
        codeHash: Data, id: String, household: String, inviter: String, createdAt: Int64, expiresAt: Int64
    ) {
        self.codeHash = codeHash
        self.id = id
        self.household = household
        self.inviter = inviter
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// The wrong passwords for one account from one address within an hour.
public struct FailedSignInRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "failed_sign_in"
    /// The id; nil before it is stored.
    public var id: Int64?
    /// The id of the household.
    public var household: String
    /// The id of the account's person; nil for an e-mail address that nobody has.
    public var person: String?
    /// The IPv4 address, or the IPv6 network of 64 bits.
    public var address: String
    /// The number of attempts.
    public var tries: Int
    /// The time of the first attempt, in UTC milliseconds.
    public var firstAt: Int64
    /// The time of the last attempt, in UTC milliseconds.
    public var lastAt: Int64

    /// Creates a record of one attempt.
    public init(household: String, person: String?, address: String, at: Int64) {
        self.household = household
        self.person = person
        self.address = address
        tries = 1
        firstAt = at
        lastAt = at
    }
}
