import Foundation
import HubKit

/// A file without a name that contains several files: it cannot be changed, and disappears with the process in any
/// case.
struct FilePack {
    /// The file that contains all.
    private(set) var file: OpenedFile
    private var descriptor: Int32
    private var end = 0

    /// Creates an empty pack.
    ///
    /// - Parameter folder: the folder on whose disk it is created; if that cannot be written, it is in memory.
    /// - Throws: `POSIXError` if neither is possible.
    init(in folder: String) throws {
        let onDisk = Self.nameless(in: folder)
        descriptor = try onDisk >= 0 ? onDisk : Self.inMemory()
        file = OpenedFile(descriptor: descriptor)
    }

    /// Opens a file in memory: Linux has a file system for it (shm_overview(7)); other systems have a temporary folder.
    private static func inMemory() throws -> Int32 {
        for folder in ["/dev/shm", FileManager.default.temporaryDirectory.path] {
            let descriptor = nameless(in: folder)
            if descriptor >= 0 { return descriptor }
        }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }

    private static func nameless(in folder: String) -> Int32 {
        var template = Array("\(folder)/tandem.web.XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return -1 }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Adds a file.
    ///
    /// - Returns: its range in the pack.
    /// - Throws: `POSIXError` if there is no space on the disk, nor in memory.
    mutating func add(_ data: Data) throws -> Range<Int> {
        do {
            return try append(data)
        } catch {
            // The disk is full, which is no reason to show nothing: the page says so to whoever looks.
            let (before, count) = (descriptor, end)
            let old = file
            descriptor = try Self.inMemory()
            file = OpenedFile(descriptor: descriptor)
            end = 0
            var written = Data(count: count)
            let read = written.withUnsafeMutableBytes { pread(before, $0.baseAddress, count, 0) }
            guard withExtendedLifetime(old, { read == count }) else { throw error }
            _ = try append(written)
            return try append(data)
        }
    }

    private mutating func append(_ data: Data) throws -> Range<Int> {
        var done = 0
        while done < data.count {
            let count = data[data.startIndex + done..<data.endIndex].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(end + done))
            }
            guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            done += count
        }
        defer { end += data.count }
        return end..<end + data.count
    }
}
