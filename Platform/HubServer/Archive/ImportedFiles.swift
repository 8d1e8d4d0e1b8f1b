import Foundation
import HubKit

/// The files that an import lays beside the database. They wait in a folder of their own until the database is whole, and only
/// then get their names; what an import left that was killed on the way the next one removes.
struct ImportedFiles {
    private let folder: DataFolder
    /// Those that have their names, or are about to get them.
    private var placed: [String] = []

    init(in folder: DataFolder) { self.folder = folder }

    /// Where they wait; backups and exports leave it out.
    var staging: String { folder.path + "/tandem.import-files" }
    /// Says which files are about to get their names: without a household they are nobody's.
    private var list: String { staging + "/placed.json" }

    private func waiting(_ path: String) -> String { "\(staging)/files/\(path)" }
    private func named(_ path: String) -> String { "\(folder.path)/\(path)" }

    /// Removes what an import left that was killed.
    ///
    /// - Parameter isEmpty: whether the folder has no household; else what has its name is the household's.
    func sweep(isEmpty: Bool) {
        if isEmpty, let content = FileManager.default.contents(atPath: list),
            let paths = try? JSONDecoder().decode([String].self, from: content)
        {
            for path in paths where DataFolder.isInside(path) {
                try? FileManager.default.removeItem(atPath: named(path))
            }
        }
        try? FileManager.default.removeItem(atPath: staging)
    }

    /// A new file that waits.
    ///
    /// - Parameter path: where it will lie, below the data folder.
    func makeFile(_ path: String) throws -> ArchiveFile {
        try DurableFiles.makeFolder((waiting(path) as NSString).deletingLastPathComponent)
        return try ArchiveFile(path: waiting(path))
    }

    /// Gives files that wait their names.
    ///
    /// - Parameter paths: below the data folder.
    mutating func place(_ paths: [String]) throws {
        guard !paths.isEmpty else { return }
        guard
            FileManager.default.createFile(
                atPath: list, contents: try JSONEncoder().encode(paths), attributes: [.posixPermissions: 0o600])
        else { throw ArchiveError.notWritable(list) }
        try DurableFiles.synchronize(list)
        try DurableFiles.synchronize(staging)
        for path in paths {
            placed.append(path)
            try DurableFiles.move(waiting(path), to: named(path))
        }
        for parent in Set(paths.map { (named($0) as NSString).deletingLastPathComponent }) {
            try DurableFiles.synchronize(parent)
        }
    }

    /// The household that they belong to is there: they stay.
    mutating func keep() { placed = [] }

    /// The folder has none any more of those that are not to stay.
    mutating func undo() {
        for path in placed { try? FileManager.default.removeItem(atPath: named(path)) }
        placed = []
        finish()
    }

    /// Nothing waits any more.
    func finish() { try? FileManager.default.removeItem(atPath: staging) }
}
