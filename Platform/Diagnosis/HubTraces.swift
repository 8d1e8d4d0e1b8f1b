import Foundation

/// The traces that a hub leaves beside its database once it has one, by which an empty file is told from a new one.
///
/// A first start that was killed at once leaves an empty file, the lock, and perhaps SQLite's `-journal`: the header of a
/// database is written and synchronised before it goes over to a log (SQLite's file format, 1.3.3), so that `-wal` and `-shm` are
/// never beside an empty one. All else that counts is only made when the database is there. What others put into the folder,
/// such as a disk's `lost+found` or a file for containers, is no trace.
struct HubTraces {
    private let database: String

    /// Creates the search beside a database's file.
    init(database: String) { self.database = database }

    /// The path of one trace; nil where no hub had a database here.
    func first() -> String? {
        if let log = log() { return log }
        let folder = (database as NSString).deletingLastPathComponent
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        for name in names where Self.isKept(name) {
            let path = "\(folder)/\(name)"
            guard let content = try? FileManager.default.contentsOfDirectory(atPath: path), !content.isEmpty else {
                continue
            }
            return path
        }
        return nil
    }

    /// The path of what SQLite keeps beside a database that is in use; nil where there is none, or nothing in it.
    func log() -> String? {
        ["-wal", "-shm"].map { database + $0 }.first { path in
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        }
    }

    /// Whether a name is that of a folder into which only a hub with a database puts something: its authority, its backups,
    /// exports and recordings, and what a restored backup replaced.
    private static func isKept(_ name: String) -> Bool {
        ["authority", "backups", "exports", "songs"].contains(name) || name.hasPrefix("replaced-")
    }
}
