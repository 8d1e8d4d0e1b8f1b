import Foundation

extension DataFolder {
    /// The subfolder in which an archive waits until it is downloaded.
    package static let exports = "exports"

    /// The files that the hub stores besides its database, such as keys and recordings: each as its path below the
    /// folder and its permission bits. Backups, exports and the files that a restored backup replaced are left out;
    /// symbolic links are not followed.
    package func otherFiles() throws -> [(path: String, mode: Int)] {
        var found: [(path: String, mode: Int)] = []
        var folders = [""]
        while let folder = folders.popLast() {
            let place = folder.isEmpty ? path : "\(path)/\(folder)"
            for name in try FileManager.default.contentsOfDirectory(atPath: place).sorted() {
                let below = folder.isEmpty ? name : "\(folder)/\(name)"
                if folder.isEmpty, !Self.isOther(name) { continue }
                var status = stat()
                guard lstat("\(path)/\(below)", &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: folders.append(below)
                case S_IFREG: found.append((below, Int(status.st_mode & 0o777)))
                default: continue
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    /// Whether a relative path leads to a file below the folder, and to none of the database's.
    package static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !parts.isEmpty && !path.contains("\0") && !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
            && !path.hasPrefix("tandem.")
    }

    /// Whether a name in the folder itself is that of a file, or a folder with files, that a backup takes.
    private static func isOther(_ name: String) -> Bool {
        !(name.hasPrefix("tandem.") || ["backups", exports].contains(name) || name.hasPrefix("replaced-"))
    }

    /// Whether a relative path is one that ``otherFiles()`` can have given.
    package static func isOtherFile(_ path: String) -> Bool {
        isInside(path) && path.utf8.count < 4_096
            && path.split(separator: "/").allSatisfy { $0.utf8.count <= 255 }
            && path.split(separator: "/").first.map { isOther(String($0)) } == true
    }

    // MARK: - Files that are not complete

    /// The subfolder of files that are not complete yet. Each start empties it, and no backup takes it.
    private static let parts = "tandem.parts"

    /// A path for a file while it is written, from which it is moved to its own place when it is complete: in a folder of
    /// the hub's own, or beside its place if that is elsewhere or on another disk, to which nothing can be moved at once.
    ///
    /// - Parameter target: the path of the complete file.
    /// - Throws: an error if the folder cannot be made.
    package func part(for target: String) throws -> String {
        let place = (target as NSString).deletingLastPathComponent
        var (there, here) = (stat(), stat())
        guard target.hasPrefix(path + "/"), stat(place, &there) == 0, stat(path, &here) == 0,
            there.st_dev == here.st_dev
        else { return target + ".part" }
        return try part()
    }

    /// A path for a file that is never moved to another place.
    public func part() throws -> String {
        let folder = "\(path)/\(Self.parts)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return "\(folder)/\(getpid()).\(Secret.identifier()).part"
    }

    /// Removes what processes that are gone left incomplete. A command beside the hub may be writing a backup there.
    package func sweepParts() {
        let folder = "\(path)/\(Self.parts)"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            // A number is given again: this process has begun nothing yet, whatever bears its own.
            if let writer = name.split(separator: ".").first.flatMap({ pid_t($0) }), writer > 0, writer != getpid(),
                kill(writer, 0) == 0 || errno == EPERM
            {
                continue
            }
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }
}
