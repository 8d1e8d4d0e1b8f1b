import Foundation
import GRDB

extension Schema {
    /// The tables of the ways out of the house that adults have chosen, and of the programs that read.
    static let channels = """
        -- A topic of ntfy, a person's e-mail address, or a webhook of another program.
        CREATE TABLE channel(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, kind TEXT NOT NULL,
            -- Whose reminders go there; NULL for a webhook.
            person TEXT REFERENCES person ON DELETE CASCADE,
            -- Where to: an address of http or https, or of e-mail.
            address TEXT NOT NULL,
            -- The address in digits that the host's name has in the house, as an adult has said.
            house_address TEXT,
            -- The token for ntfy, or the key that a webhook's messages are signed with.
            secret TEXT,
            name TEXT,
            -- What its words are in, BCP 47; and the hub's address for links in them.
            language TEXT, origin TEXT,
            -- Whether the owner of an e-mail address has typed the code that was sent there.
            is_confirmed INTEGER NOT NULL,
            code_hash BLOB, code_expires_at INTEGER, code_tries INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL, last_error TEXT, last_at INTEGER);
        CREATE INDEX channel_person ON channel(person);
        -- What a webhook is told.
        CREATE TABLE channel_event(
            channel TEXT NOT NULL REFERENCES channel ON DELETE CASCADE, companion TEXT NOT NULL, event TEXT NOT NULL,
            PRIMARY KEY(channel, companion, event)) WITHOUT ROWID;
        -- Of whom a webhook is told anything.
        CREATE TABLE channel_subject(
            channel TEXT NOT NULL REFERENCES channel ON DELETE CASCADE,
            person TEXT NOT NULL REFERENCES person ON DELETE CASCADE, PRIMARY KEY(channel, person)) WITHOUT ROWID;
        -- What is still to be sent. One that was taken, or has grown too old, leaves no trace.
        CREATE TABLE channel_message(
            id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL REFERENCES channel ON DELETE CASCADE,
            -- By which its receiver knows that it has it already.
            identity TEXT NOT NULL UNIQUE,
            person TEXT REFERENCES person ON DELETE CASCADE, topic TEXT,
            content BLOB NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL);
        CREATE INDEX channel_message_next ON channel_message(next_at);
        CREATE INDEX channel_message_channel ON channel_message(channel);
        -- The account by which e-mail leaves the house.
        CREATE TABLE mail_account(
            household TEXT PRIMARY KEY REFERENCES household, host TEXT NOT NULL, port INTEGER NOT NULL,
            -- Whether TLS begins with STARTTLS, or else with the connection.
            is_starttls INTEGER NOT NULL, house_address TEXT,
            user TEXT NOT NULL, password TEXT NOT NULL, sender TEXT NOT NULL,
            -- Which certificate is trusted, where it is none of the machine's authorities: PEM, or SHA-256 in hexadecimal.
            authority TEXT, fingerprint TEXT, changed_at INTEGER NOT NULL) WITHOUT ROWID;
        -- Programs that read by HTTP: for whom, until when, and when they did last.
        ALTER TABLE integration ADD COLUMN is_reader INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE integration ADD COLUMN maker TEXT REFERENCES person ON DELETE CASCADE;
        -- Whose data it reads; NULL for everyone's.
        ALTER TABLE integration ADD COLUMN person TEXT REFERENCES person ON DELETE CASCADE;
        ALTER TABLE integration ADD COLUMN ends_at INTEGER;
        ALTER TABLE integration ADD COLUMN used_at INTEGER;
        CREATE INDEX integration_token ON integration(token_hash);
        CREATE TABLE integration_companion(
            integration TEXT NOT NULL REFERENCES integration ON DELETE CASCADE, companion TEXT NOT NULL,
            PRIMARY KEY(integration, companion)) WITHOUT ROWID;
        """
}

/// A way out of the house that an adult has chosen: where something is told, and to whom it belongs.
public struct ChannelRecord: TableRecord, Equatable {
    /// The kind of a channel.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A topic of an ntfy server, for one person's reminders.
        case ntfy
        /// A person's own e-mail address, for their reminders.
        case email
        /// An address of another program, for the companions' events.
        case webhook
    }

    /// The name of the table.
    public static let databaseTableName = "channel"
    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The kind.
    public var kind: Kind
    /// The id of the person whose reminders go there; nil for a webhook.
    public var person: String?
    /// The address: of http or https, or of e-mail.
    public var address: String
    /// The address in digits that the host's name has in the house, as an adult has said; nil for one on the internet.
    public var houseAddress: String?
    /// The token for ntfy, or the key that a webhook's messages are signed with. A secret, which no page gets back.
    public var secret: String?
    /// The name that its maker gave it.
    public var name: String?
    /// The language of its words (BCP 47); nil for the household's.
    public var language: String?
    /// The hub's address for links, as its maker used it; nil for none.
    public var origin: String?
    /// Whether it is used: an e-mail address once its owner has typed the code that was sent there.
    public var isConfirmed: Bool
    /// The hash of that code; nil for none.
    public var codeHash: Data?
    /// The time at which the code expires, in UTC milliseconds.
    public var codeExpiresAt: Int64?
    /// The number of wrong codes.
    public var codeTries: Int
    /// The time at which it was made, in UTC milliseconds.
    public var createdAt: Int64
    /// The reason why the last message was not delivered, in words for people; nil if it was.
    public var lastError: String?
    /// The time of the last attempt, in UTC milliseconds; nil before the first.
    public var lastAt: Int64?

    /// Creates a record.
    public init(
        id: String, household: String, kind: Kind, person: String?, address: String, isConfirmed: Bool, createdAt: Int64
    ) {
        self.id = id
        self.household = household
        self.kind = kind
        self.person = person
        self.address = address
        self.isConfirmed = isConfirmed
        self.createdAt = createdAt
        codeTries = 0
    }
}

/// A message on its way by a channel.
public struct ChannelMessageRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "channel_message"
    /// The id, in the order of the messages; nil before it is stored.
    public var id: Int64?
    /// The id of the channel.
    public var channel: String
    /// The id by which its receiver knows that it has it already, the same at each attempt.
    public var identity: String
    /// The id of the person it is about, with whom it is deleted; nil for nobody.
    public var person: String?
    /// The topic; a later message of the same topic replaces it.
    public var topic: String?
    /// The content, as the kind of channel has it.
    public var content: Data
    /// The time at which it was queued, in UTC milliseconds.
    public var createdAt: Int64
    /// The time at which it expires, in UTC milliseconds.
    public var expiresAt: Int64
    /// The number of failed attempts.
    public var attempts: Int
    /// The time of the next attempt, in UTC milliseconds.
    public var nextAt: Int64

    /// Creates a record.
    public init(
        channel: String, identity: String, person: String?, topic: String?, content: Data, createdAt: Int64,
        expiresAt: Int64
    ) {
        self.channel = channel
        self.identity = identity
        self.person = person
        self.topic = topic
        self.content = content
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        attempts = 0
        nextAt = createdAt
    }
}

/// The account of a household by which e-mail leaves the house.
public struct MailAccountRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "mail_account"
    /// The id of the household.
    public var household: String
    /// The host name or address of the mail server.
    public var host: String
    /// The port.
    public var port: Int
    /// Whether TLS begins with STARTTLS (RFC 3207), or else with the connection (RFC 8314, 3.3).
    public var isStarttls: Bool
    /// The address in digits that the host's name has in the house, as an adult has said; nil for one on the internet.
    public var houseAddress: String?
    /// The name to sign in with.
    public var user: String
    /// The password. A secret, which no page gets back.
    public var password: String
    /// The account's own e-mail address, from which messages come.
    public var sender: String
    /// The certificate of the authority to trust, PEM; nil for those that the machine trusts.
    public var authority: String?
    /// The SHA-256 of the server's certificate, 64 hexadecimal digits, instead of an authority.
    public var fingerprint: String?
    /// The time at which it was last changed, in UTC milliseconds.
    public var changedAt: Int64

    /// Creates a record.
    public init(
        household: String, host: String, port: Int, isStarttls: Bool, user: String, password: String, sender: String,
        changedAt: Int64
    ) {
        self.household = household
        self.host = host
        self.port = port
        self.isStarttls = isStarttls
        self.user = user
        self.password = password
        self.sender = sender
        self.changedAt = changedAt
    }
}
