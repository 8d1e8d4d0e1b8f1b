import Foundation

/// The check whether the hub's files belong to the user who runs it.
public struct FileOwnerCheck: Sendable {
    private let folder: String

    /// Creates the check for a data folder.
    public init(folder: String) { self.folder = folder }

    /// The finding for the owners of the files.
    ///
    /// - Parameters:
    ///   - owners: the numeric id of the owner of each file, by its path.
    ///   - user: the numeric id of the user who runs the hub.
    public func finding(owners: [String: UInt32], user: UInt32) -> Finding {
        // Root reads and writes everybody's.
        let foreign = user == 0 ? [] : owners.filter { $0.value != user }.keys.sorted()
        guard let first = foreign.first else {
            return .well("owner", "The files in \(folder) belong to the hub’s user.")
        }
        let others = foreign.count > 1 ? " and \(foreign.count - 1) more" : ""
        return .fault(
            "owner", "\(first)\(others) belongs to another user, so that the hub cannot write it.",
            "Give it back, as root: chown -R \(user) \(folder)")
    }

    /// Looks at the folder and the files of the database.
    public func run() -> Finding {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasPrefix("tandem.")
        }
        var owners: [String: UInt32] = [:]
        for path in [folder] + names.map({ "\(folder)/\($0)" }) {
            var status = stat()
            if lstat(path, &status) == 0 { owners[path] = status.st_uid }
        }
        return finding(owners: owners, user: geteuid())
    }
}
