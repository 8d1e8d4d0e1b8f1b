import Foundation

/// How files of a hub get their places so that a power cut leaves each where it was or where it should be: for backups, and for
/// archives.
enum DurableFiles {
    /// Moves a file that is there, with the folders on its way.
    static func move(_ from: String, to: String) throws {
        guard FileManager.default.fileExists(atPath: from) else { return }
        try makeFolder((to as NSString).deletingLastPathComponent)
        guard rename(from, to) == 0 else { throw BackupError.notWritable(to) }
    }

    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// What was written to a file or folder is on the disk.
    static func synchronize(_ path: String) throws {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.notWritable(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupError.notWritable(path) }
    }
}
