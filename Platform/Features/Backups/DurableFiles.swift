import Foundation

/// File operations of backups and archives that are complete or undone after a power cut.
package enum DurableFiles {
    /// Moves a file if it exists, creating the folders on its way.
    package static func move(_ from: String, to: String) throws {
        guard FileManager.default.fileExists(atPath: from) else { return }
        try makeFolder((to as NSString).deletingLastPathComponent)
        guard rename(from, to) == 0 else { throw BackupError.notWritable(to) }
    }

    /// Copies a file, or what a link to it leads to, to a path at which there is nothing, for its owner alone, and waits until
    /// it is on the disk.
    ///
    /// - Throws: `BackupError`. What is at the path then is not complete.
    package static func copy(_ from: String, to path: String) throws(BackupError) {
        // Without waiting, for a pipe that nobody writes to.
        let source = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw errno == ENOENT ? .missing(from) : .other(from, reason: reason()) }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(from) }
        let target = try make(path, mode: 0o600)
        defer { close(target) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = bytes.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .other(from, reason: reason()) }
            guard count > 0 else { break }
            guard bytes.withUnsafeBytes({ append($0[..<count], to: target) }) else { throw unwritten(path) }
        }
        guard fsync(target) == 0 else { throw unwritten(path) }
    }

    /// Writes a file at a path at which there is nothing, and waits until it is on the disk.
    ///
    /// - Throws: `BackupError`. What is at the path then is not complete.
    package static func write(_ content: Data, to path: String, mode: Int = 0o600) throws(BackupError) {
        let target = try make(path, mode: mode)
        defer { close(target) }
        guard content.withUnsafeBytes({ append($0[...], to: target) }), fsync(target) == 0 else {
            throw unwritten(path)
        }
    }

    private static func make(_ path: String, mode: Int) throws(BackupError) -> Int32 {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(mode & 0o777))
        guard file >= 0 else { throw unwritten(path) }
        return file
    }

    /// Writes bytes at the end of a file; false with `errno` if that fails.
    private static func append(_ bytes: Slice<UnsafeRawBufferPointer>, to file: Int32) -> Bool {
        var rest = UnsafeRawBufferPointer(rebasing: bytes)
        while !rest.isEmpty {
            // Not this type's own.
            let count = Foundation.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    private static func reason() -> String { "\(String(cString: strerror(errno)))." }

    private static func unwritten(_ path: String) -> BackupError {
        errno == ENOSPC || errno == EDQUOT
            ? .noRoom(path, freeMegabytes: 0, wantedMegabytes: 0) : .notWritable(path)
    }

    package static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Waits until a file or folder is on the disk.
    package static func synchronize(_ path: String) throws {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.notWritable(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupError.notWritable(path) }
    }
}
