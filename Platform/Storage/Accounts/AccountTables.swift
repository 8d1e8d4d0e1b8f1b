import Foundation
import GRDB

extension Schema {
    /// The tables of the household, its people, their sign-ins, and attempts to sign in.
    static let accounts = """
        CREATE TABLE household(
            id TEXT PRIMARY KEY, name TEXT NOT NULL,
            -- An IANA name.
            time_zone TEXT NOT NULL,
            -- BCP 47; NULL where it is not known.
            language TEXT,
            created_at INTEGER NOT NULL, is_demo INTEGER NOT NULL DEFAULT 0,
            -- Where the first run goes on after a break; NULL when it is finished.
            setup_step TEXT);
        CREATE TABLE person(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
            role TEXT NOT NULL CHECK(role IN ('adult', 'child')), email TEXT UNIQUE COLLATE NOCASE,
            -- Salt, costs and hash; NULL for who cannot sign in.
            password BLOB,
            face TEXT, birth_year INTEGER, created_at INTEGER NOT NULL,
            -- An IANA name; NULL for the household's own.
            time_zone TEXT,
            -- When it was set to another one last, UTC milliseconds; NULL where it never was.
            time_zone_since INTEGER);
        -- Only what somebody decided: a companion without a row is in use.
        CREATE TABLE companion_choice(
            household TEXT NOT NULL REFERENCES household, slug TEXT NOT NULL, is_used INTEGER NOT NULL,
            PRIMARY KEY(household, slug)) WITHOUT ROWID;
        CREATE TABLE sign_in(
            id TEXT PRIMARY KEY, token_hash BLOB NOT NULL UNIQUE,
            -- The account, and who uses the page.
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            profile TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            agent TEXT NOT NULL, created_at INTEGER NOT NULL, seen_at INTEGER NOT NULL,
            -- The family's own device: it asks who is there.
            is_shared INTEGER NOT NULL DEFAULT 0,
            -- When the account's password was typed on this device last, for the adult who uses it.
            confirmed_at INTEGER);
        -- Beside the hash of its code, which is not told again: what it is called, when it was made, withdrawn.
        CREATE TABLE invitation(
            code_hash BLOB PRIMARY KEY, id TEXT NOT NULL UNIQUE, household TEXT NOT NULL REFERENCES household,
            inviter TEXT NOT NULL REFERENCES person ON DELETE CASCADE, created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL, withdrawn_at INTEGER);
        -- One a person, the newest. The code itself is nowhere stored.
        CREATE TABLE password_reset(
            person TEXT PRIMARY KEY REFERENCES person ON DELETE CASCADE, code_hash BLOB NOT NULL UNIQUE,
            created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
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
        -- Programs that an adult let in. Their MQTT topic filters, a line each.
        CREATE TABLE integration(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, name TEXT NOT NULL,
            token_hash BLOB NOT NULL, filters TEXT NOT NULL, created_at INTEGER NOT NULL);
        """
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
