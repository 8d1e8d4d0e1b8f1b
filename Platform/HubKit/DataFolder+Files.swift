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
                if folder.isEmpty,
                    name.hasPrefix("tandem.") || ["backups", Self.exports].contains(name)
                        || name.hasPrefix("replaced-")
                {
                    continue
                }
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
}
