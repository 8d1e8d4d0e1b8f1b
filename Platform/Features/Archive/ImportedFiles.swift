import Backups
import Foundation
import HubKit

/// The files that an import places besides the database. They are staged in a folder of their own until the database is
/// complete, and only then get their names; the next import removes the files of one that was killed.
struct ImportedFiles {
    private let folder: DataFolder
    /// The paths of the files that have their names, or are about to.
    private var placed: [String] = []

    init(in folder: DataFolder) { self.folder = folder }

    /// The path of the staging folder; backups and exports leave it out.
    var staging: String { folder.path + "/tandem.import-files" }
    /// The path of the list of files that are about to get their names: without a household they belong to nobody.
    private var list: String { staging + "/placed.json" }

    private func waiting(_ path: String) -> String { "\(staging)/files/\(path)" }
    private func named(_ path: String) -> String { "\(folder.path)/\(path)" }

    /// Removes the files of an import that was killed.
    ///
    /// - Parameter isEmpty: whether the folder has no household; otherwise files that have their names belong to it.
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

    /// Creates a staged file.
    ///
    /// - Parameter path: its final path below the data folder.
    func makeFile(_ path: String) throws -> ArchiveFile {
        try DurableFiles.makeFolder((waiting(path) as NSString).deletingLastPathComponent)
        return try ArchiveFile(path: waiting(path))
    }

    /// Gives staged files their names.
    ///
    /// - Parameter paths: their final paths below the data folder.
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

    /// Keeps the files, since their household is complete.
    mutating func keep() { placed = [] }

    /// Removes the files that were not kept.
    mutating func undo() {
        for path in placed { try? FileManager.default.removeItem(atPath: named(path)) }
        placed = []
        finish()
    }

    /// Removes the staging folder.
    func finish() { try? FileManager.default.removeItem(atPath: staging) }
}
