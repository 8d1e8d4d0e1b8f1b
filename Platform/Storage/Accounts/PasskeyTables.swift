import Foundation
import GRDB

extension Schema {
    /// The table of passkeys.
    static let passkeys = """
        -- What an adult signs in with beside their password. The private key is the device's own.
        CREATE TABLE passkey(
            id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            -- By which the device finds it again, and what checks its signatures (COSE).
            credential BLOB NOT NULL UNIQUE, public_key BLOB NOT NULL,
            -- The name of the hub that it belongs to.
            relying_party TEXT NOT NULL,
            name TEXT NOT NULL, created_at INTEGER NOT NULL, used_at INTEGER,
            -- What the device counts; 0 where it does not.
            sign_count INTEGER NOT NULL,
            is_backup_eligible INTEGER NOT NULL, is_backed_up INTEGER NOT NULL,
            -- How a browser reaches the device, such as usb, with commas between.
            transports TEXT NOT NULL,
            -- When it was refused last because its counter had not gone on; NULL where that never happened.
            counter_back_at INTEGER);
        CREATE INDEX passkey_person ON passkey(person);
        """
}

/// A passkey of an adult. The private key is the device's own and nowhere stored.
public struct PasskeyRecord: TableRecord {
    /// The name of the table.
    public static let databaseTableName = "passkey"
    /// The id, by which it is named and removed.
    public var id: String
    /// The id of the person whose account it opens.
    public var person: String
    /// The name by which the device finds it again.
    public var credential: Data
    /// The public key, as COSE writes it.
    public var publicKey: Data
    /// The name of the hub that it belongs to, such as `linden.local`.
    public var relyingParty: String
    /// The name that its owner gave it.
    public var name: String
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it was last used, in UTC milliseconds; nil if never.
    public var usedAt: Int64?
    /// The number of uses that the device has counted; 0 where it does not count.
    public var signCount: UInt32
    /// Whether it may be copied to the owner's other devices.
    public var isBackupEligible: Bool
    /// Whether it has been copied to the owner's other devices.
    public var isBackedUp: Bool
    /// The ways in which a browser reaches the device, with commas between.
    public var transports: String
    /// The time at which it was last refused because its counter had not gone on, in UTC milliseconds; nil if never.
    public var counterBackAt: Int64?

    /// Creates a record of one that was not used yet.
    public init(
        id: String, person: String, credential: Data, publicKey: Data, relyingParty: String, name: String,
        createdAt: Int64, signCount: UInt32, isBackupEligible: Bool, isBackedUp: Bool, transports: String
    ) {
        self.id = id
        self.person = person
        self.credential = credential
        self.publicKey = publicKey
        self.relyingParty = relyingParty
        self.name = name
        self.createdAt = createdAt
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.transports = transports
    }
}
