import Foundation

/// The check whether the disk of the data folder has room, and can be written.
public struct DiskSpaceCheck: Sendable {
    /// The room on a disk.
    public struct Room: Sendable, Equatable {
        /// The bytes that this user may still write.
        public var freeBytes: Int
        /// The number of files that can still be made; nil on file systems without such a limit.
        public var freeFiles: Int?
        /// Whether the disk can be read but not written.
        public var isReadOnly: Bool

        /// Creates the room.
        public init(freeBytes: Int, freeFiles: Int? = nil, isReadOnly: Bool = false) {
            self.freeBytes = freeBytes
            self.freeFiles = freeFiles
            self.isReadOnly = isReadOnly
        }
    }

    /// The room below which a hub soon stores nothing more, in bytes.
    static let leastBytes = 200 << 20
    /// The room below which it is time to think of it, in bytes.
    static let fewBytes = 1 << 30
    /// The number of further files below which SQLite soon cannot make its own.
    static let leastFiles = 100

    private let folder: String

    /// Creates the check for a data folder.
    public init(folder: String) { self.folder = folder }

    /// The finding for a disk.
    ///
    /// - Parameter room: the room on it; nil if it cannot be looked at.
    public func finding(_ room: Room?) -> Finding {
        guard let room else {
            return .fault("disk", "The disk of \(folder) cannot be looked at.", "Check that the folder is yours.")
        }
        guard !room.isReadOnly else {
            return .fault(
                "disk", "The disk of \(folder) can be read but not written: it is worn out, or was mounted so.",
                "Make it writable (mount -o remount,rw), or copy the folder to another disk and start with --data there."
            )
        }
        if let files = room.freeFiles, files < Self.leastFiles {
            return .fault(
                "disk", "The disk of \(folder) has room for \(files) more files only.",
                "Remove many small ones (`df --inodes` shows it), or the hub will soon store nothing more.")
        }
        let words = "The disk of \(folder) has \(room.freeBytes >> 20) MB free."
        if room.freeBytes < Self.leastBytes {
            return .fault("disk", words, "Free some, or the hub will soon store nothing more.")
        }
        if room.freeBytes < Self.fewBytes {
            return .warning("disk", words, "That is little: a backup needs as much again as the database has.")
        }
        return .well("disk", words)
    }

    /// Looks at the disk of the folder, or of where it would be made.
    public func run() -> Finding {
        var disk = statvfs()
        guard statvfs(ExistingFolder.above(folder), &disk) == 0 else { return finding(nil) }
        let (bytes, isTooMany) = Int(clamping: disk.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: disk.f_frsize))
        return finding(
            Room(
                freeBytes: isTooMany ? .max : bytes,
                freeFiles: disk.f_files == 0 ? nil : Int(clamping: disk.f_favail),
                isReadOnly: disk.f_flag & UInt(ST_RDONLY) != 0))
    }
}
