import Foundation

/// Files that are either complete or absent, whatever happens while they are written.
enum DurableFile {
    /// The path and the reason of a failed operation.
    struct Failure: Error {
        var path: String
        var reason: String

        init(_ path: String) {
            self.path = path
            reason = String(cString: strerror(errno))
        }
    }

    /// A file's content and permission bits, read from one and the same open file.
    struct Content: Equatable {
        var text: String
        var mode: UInt32
    }

    /// The number of bytes that are read of a file, at most: a chain of some dozen certificates.
    static let maximumBytes = 1 << 18

    /// The content of a file; nil if there is none. Content that is not UTF-8, or too long, is returned as an empty
    /// text.
    static func read(_ path: String) throws(Failure) -> Content? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(path) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress! + filled, $0.count - filled)
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Failure(path)
            }
            if count == 0 { break }
            filled += count
        }
        let text = filled <= maximumBytes ? String(validating: bytes[..<filled], as: UTF8.self) : nil
        return Content(text: text ?? "", mode: UInt32(status.st_mode) & 0o7777)
    }

    /// Replaces a file: writes it beside, waits for the disk, and renames it.
    static func write(_ text: String, to path: String, mode: mode_t) throws(Failure) {
        let beside = "\(path).new"
        unlink(beside)
        let file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(path) }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return try fail()
            }
            bytes = bytes.dropFirst(count)
        }
        // The mode of open() lacks what the process masks.
        guard fchmod(file, mode) == 0, fsync(file) == 0 else { return try fail() }
        guard close(file) == 0, rename(beside, path) == 0 else {
            let failure = Failure(path)
            unlink(beside)
            throw failure
        }
        try settle(folder(of: path))

        func fail() throws(Failure) {
            let failure = Failure(path)
            close(file)
            unlink(beside)
            throw failure
        }
    }

    /// Waits until the entries of a folder are on the disk, as its files are.
    static func settle(_ folder: String) throws(Failure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(folder) }
    }

    /// The folder that a path is in.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
