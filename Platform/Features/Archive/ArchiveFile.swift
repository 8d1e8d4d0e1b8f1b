import Foundation
import HubKit

/// A file that an archive is written to, in large pieces.
final class ArchiveFile: ZipDestination {
    private static let pieceBytes = 1 << 18

    private let path: String
    private let descriptor: Int32
    private var written = 0
    private var pending: [UInt8] = []

    /// Creates a file that only its owner can read.
    ///
    /// - Throws: `ArchiveError.notWritable`.
    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ArchiveError.notWritable(path) }
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws {
        pending += bytes
        if pending.count >= Self.pieceBytes { try flush() }
    }

    func replace(at offset: Int, with bytes: [UInt8]) throws {
        if offset >= written {
            pending.replaceSubrange(offset - written..<offset - written + bytes.count, with: bytes)
        } else {
            try flush()
            try put(bytes, at: offset)
        }
    }

    /// Writes the pending bytes.
    private func flush() throws {
        try put(pending, at: written)
        written += pending.count
        pending.removeAll(keepingCapacity: true)
    }

    /// Waits until everything is on the disk.
    func synchronize() throws {
        try flush()
        guard fsync(descriptor) == 0 else { throw failure() }
    }

    private func put(_ bytes: [UInt8], at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    private func failure() -> ArchiveError {
        errno == ENOSPC || errno == EDQUOT
            ? .noRoom(path, freeMegabytes: 0, wantedMegabytes: 0)
            : .other(path, reason: String(cString: strerror(errno)))
    }
}

/// A file that an archive is read from.
final class ArchiveBytes: ZipSource {
    private let descriptor: Int32
    let count: Int

    /// Opens a file.
    ///
    /// - Throws: `ArchiveError.missing`, `ArchiveError.notAFile`.
    init(path: String) throws {
        // Before it is opened: whoever opens a pipe waits for somebody who writes into it.
        guard FileKind(path) == .file else {
            throw FileKind(path) == nil ? ArchiveError.missing(path) : .notAFile(path)
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw ArchiveError.missing(path)
        }
        count = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func read(at offset: Int, count: Int) throws -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }
}
