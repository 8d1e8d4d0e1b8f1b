import Foundation

/// The check whether a database's file is one and as long as its own head says, which needs no connection to it.
public struct DatabaseFileCheck: Sendable {
    private let path: String

    /// Creates the check for a file.
    public init(path: String) { self.path = path }

    /// The finding for a file (SQLite's file format, 1.3).
    ///
    /// - Parameters:
    ///   - head: its first 100 bytes.
    ///   - size: its size, in bytes.
    ///   - logged: the numbers of pages from one on, of a size in bytes, that are in the log beside it.
    ///   - trace: what a hub left beside it that had a database, as ``HubTraces`` finds it; nil for nothing.
    public func finding(
        head: [UInt8], size: Int, logged: (_ first: Int, _ pageBytes: Int) -> Set<Int>, trace: String? = nil
    ) -> Finding {
        let advice = "Stop the hub, move the file away and restore a backup: tandem restore."
        guard size > 0 else {
            // SQLite makes a database of an empty file, and throws away a log beside it.
            guard let trace else { return .well("database-file", "\(path) is new.") }
            return .fault(
                "database-file", "\(path) is damaged: it is empty, though a hub was here, which left \(trace).",
                Self.startAnew)
        }
        guard head.count >= 100, head.starts(with: "SQLite format 3\0".utf8) else {
            return .fault("database-file", "\(path) is damaged or not a Tandem database.", advice)
        }
        func number(at place: Int, bytes: Int) -> Int { head[place..<(place + bytes)].reduce(0) { $0 << 8 | Int($1) } }
        let page = number(at: 16, bytes: 2) == 1 ? 65_536 : number(at: 16, bytes: 2)
        guard page >= 512, page & (page - 1) == 0 else {
            return .fault("database-file", "\(path) is damaged: it has pages of \(page) bytes.", advice)
        }
        // The count holds only if who wrote last wrote it too (1.3.7).
        let pages = number(at: 24, bytes: 4) == number(at: 92, bytes: 4) ? number(at: 28, bytes: 4) : 0
        let whole = size / page
        guard whole >= pages || logged(whole + 1, page).isSuperset(of: whole + 1...pages) else {
            return .fault(
                "database-file", "\(path) is damaged: it was cut short, to \(size) of \(pages * page) bytes.", advice)
        }
        return .well("database-file", "\(path) is as long as it says.")
    }

    private static let startAnew =
        "Restore a backup: tandem restore. To begin with nothing instead, move the folder away."

    /// Looks at the file; nil if there is none, and there was none.
    public func run() -> Finding? {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            return .fault(
                "database-file", "\(path) is a folder, a pipe or a device, and no file.",
                "Move it away, or name another folder with --data.")
        }
        // As another process' file: closing it gives up no lock of this process, which has not opened the database.
        guard let file = FileHandle(forReadingAtPath: path) else {
            var link = stat()
            guard lstat(path, &link) != 0, errno == ENOENT, let log = HubTraces(database: path).log() else {
                return nil
            }
            return .fault("database-file", "\(path) is gone, and what belongs to it is there: \(log).", Self.startAnew)
        }
        defer { try? file.close() }
        let head = (try? file.read(upToCount: 100)).map { [UInt8]($0) } ?? []
        let size = Self.size(path) ?? 0
        return finding(
            head: head, size: size, logged: logged, trace: size == 0 ? HubTraces(database: path).first() : nil)
    }

    private func logged(from first: Int, pageBytes: Int) -> Set<Int> {
        guard let log = FileHandle(forReadingAtPath: path + "-wal") else { return [] }
        defer { try? log.close() }
        return WriteAheadLog.pages(from: first, pageBytes: pageBytes) { offset, count in
            guard (try? log.seek(toOffset: UInt64(offset))) != nil else { return nil }
            return (try? log.read(upToCount: count)).map { [UInt8]($0) }
        }
    }

    private static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
