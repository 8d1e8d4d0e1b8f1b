import Foundation

/// File operations of backups and archives that are complete or undone after a power cut.
enum DurableFiles {
    /// Moves a file if it exists, creating the folders on its way.
    static func move(_ from: String, to: String) throws {
        guard FileManager.default.fileExists(atPath: from) else { return }
        try makeFolder((to as NSString).deletingLastPathComponent)
        guard rename(from, to) == 0 else { throw BackupError.notWritable(to) }
    }

    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Waits until a file or folder is on the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.notWritable(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupError.notWritable(path) }
    }
}
