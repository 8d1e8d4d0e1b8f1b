import Foundation

extension Schema {
    /// The tables of boards' firmware.
    static let firmware = """
        -- An image that an adult has added: its file without a signature.
        CREATE TABLE firmware_image(
            id TEXT PRIMARY KEY, household TEXT NOT NULL REFERENCES household, board TEXT NOT NULL, kind TEXT NOT NULL,
            version TEXT NOT NULL, file BLOB NOT NULL, added_at INTEGER NOT NULL,
            UNIQUE(household, board, kind, version));
        -- What a device says of the image that it runs, and what it is offered.
        CREATE TABLE device_firmware(
            device TEXT PRIMARY KEY REFERENCES device ON DELETE CASCADE, household TEXT NOT NULL REFERENCES household,
            board TEXT NOT NULL, kind TEXT NOT NULL, version TEXT NOT NULL,
            -- Whether it knows the hub's key.
            has_key INTEGER NOT NULL, reported_at INTEGER NOT NULL,
            -- The image that it is to take; NULL for none.
            offered TEXT REFERENCES firmware_image ON DELETE SET NULL, offered_at INTEGER,
            -- Whether it may be older than what runs; and how often something was offered.
            may_be_older INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
            -- How the last update ended, of which version, and why it went back or was refused.
            outcome TEXT CHECK(outcome IN ('updated', 'wentBack', 'refused')), outcome_version TEXT,
            outcome_reason INTEGER) WITHOUT ROWID;
        CREATE INDEX device_firmware_household ON device_firmware(household);
        CREATE INDEX device_firmware_offered ON device_firmware(offered);
        """
}

/// An image of a board that an adult has added.
public struct FirmwareImageRecord: TableRecord, Equatable {
    /// The name of the table.
    public static let databaseTableName = "firmware_image"
    /// The id.
    public var id: String
    /// The id of the household.
    public var household: String
    /// The name of the board.
    public var board: String
    /// The name of what the board becomes by it.
    public var kind: String
    /// The version, such as 1.2.0.
    public var version: String
    /// The file without a signature.
    public var file: Data
    /// The time at which it was added, in UTC milliseconds.
    public var addedAt: Int64

    /// Creates a record.
    public init(
        id: String, household: String, board: String, kind: String, version: String, file: Data, addedAt: Int64
    ) {
        self.id = id
        self.household = household
        self.board = board
        self.kind = kind
        self.version = version
        self.file = file
        self.addedAt = addedAt
    }
}

/// The firmware of a device, as it says itself, and what it is offered.
public struct DeviceFirmwareRecord: TableRecord, Equatable {
    /// The end of an update.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// The new image has signed in, and stays.
        case updated
        /// The one before came back.
        case wentBack
        /// The device did not take it.
        case refused
    }

    /// The name of the table.
    public static let databaseTableName = "device_firmware"
    /// The id of the device.
    public var device: String
    /// The id of the household.
    public var household: String
    /// The name of the board.
    public var board: String
    /// The name of what the board is by its image.
    public var kind: String
    /// The version of the image that runs.
    public var version: String
    /// Whether the device knows the hub's key.
    public var hasKey: Bool
    /// The time of this report, in UTC milliseconds.
    public var reportedAt: Int64
    /// The id of the image that it is to take; nil for none.
    public var offered: String?
    /// The time at which somebody asked for that, in UTC milliseconds.
    public var offeredAt: Int64?
    /// Whether it may be older than what runs.
    public var mayBeOlder = false
    /// The number of offers so far.
    public var attempts = 0
    /// The end of the last update; nil before the first.
    public var outcome: Outcome?
    /// The version of that update.
    public var outcomeVersion: String?
    /// The number of the start by which it went back, or of the fault for which it was refused.
    public var outcomeReason: Int?

    /// Creates a record of a device that is offered nothing.
    public init(
        device: String, household: String, board: String, kind: String, version: String, hasKey: Bool, reportedAt: Int64
    ) {
        self.device = device
        self.household = household
        self.board = board
        self.kind = kind
        self.version = version
        self.hasKey = hasKey
        self.reportedAt = reportedAt
    }
}
