import Foundation
import Synchronization

extension DataFolder {
    /// Reserves the folder for one hub, until the process ends in any way.
    ///
    /// - Parameter isWatched: whether the folder may be on a disk whose locks do not keep other machines out: then a mark of
    ///   another machine's is watched for some seconds, whether it still counts on.
    /// - Throws: `DataFolderError.inUse` while another hub holds it, `DataFolderError.noLocks` if the disk gives no locks.
    public func lock(isWatched: Bool = false) throws -> Lock { try Lock(path: path, isWatched: isWatched) }

    /// The state of a folder, as somebody sees it who does not want it.
    public enum Holder: Sendable, Equatable {
        case nobody
        /// A hub has it, and the lock says so.
        case hub
        /// A hub has it, and its lock could be taken all the same: those of this disk keep nobody out.
        case hubWithoutLock(process: Int32, host: String)
        /// The disk gives no locks, for a reason in the system's words.
        case noLocks(String)
        /// The lock's file may not be opened or is none, for a reason in the system's words: nobody can tell who has it.
        case unknown(String)
    }

    /// Looks who has a folder.
    public static func holder(of path: String) -> Holder {
        var file = open(path + "/tandem.lock", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        if file < 0, errno == EROFS { file = open(path + "/tandem.lock", O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard file >= 0 else {
            // Where no file is, or no folder, no hub has been.
            return [ENOENT, ENOTDIR].contains(errno) ? .nobody : .unknown(String(cString: strerror(errno)))
        }
        defer { close(file) }
        guard Lock.reserve(file, LOCK_SH) == 0 else {
            return errno == EWOULDBLOCK ? .hub : .noLocks(String(cString: strerror(errno)))
        }
        let mark = Lock.read(file)
        flock(file, LOCK_UN)
        guard let mark, !mark.isOver, mark.isAlive(seenBy: .own()) == true, mark.process != getpid() else {
            return .nobody
        }
        return .hubWithoutLock(process: mark.process, host: mark.host)
    }

    /// An exclusive lock on a data folder, held while the object lives. It is the operating system's (`flock`), so a
    /// killed process leaves none behind; and in its file is a mark of who has it, for disks whose locks keep nobody out.
    public final class Lock: Sendable {
        /// The pause, in seconds, and the number of looks for which a mark of another machine's is watched.
        private static let watch = (pause: 0.25, times: 28)
        /// The pause between two beats of a mark.
        package static let beatPause = Duration.seconds(2)

        private let descriptor: Int32
        /// Whether the mark is in the file: on a full disk it may not be.
        private let isMarked: Bool
        private let path: String
        private let mark: Mutex<FolderMark>
        /// Whether the folder's disk may be one whose locks keep no other machine out.
        package let isWatched: Bool

        fileprivate init(path: String, isWatched: Bool) throws {
            let own = FolderMark.own()
            (descriptor, isMarked) = try Self.take(path, own, isWatched: isWatched)
            (self.path, self.isWatched) = (path, isWatched)
            mark = Mutex(own)
        }

        /// Reserves the folder and writes the mark.
        private static func take(_ path: String, _ own: FolderMark, isWatched: Bool) throws -> (Int32, Bool) {
            let file = open(path + "/tandem.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard file >= 0 else { throw DataFolderError(notWritten: path) }
            do {
                guard reserve(file, LOCK_EX) == 0 else {
                    throw errno == EWOULDBLOCK
                        ? DataFolderError.inUse(path) : .noLocks(path, reason: String(cString: strerror(errno)))
                }
                if let other = read(file), !other.isOver {
                    let isAlive = other.isAlive(seenBy: own)
                    // Two holdings of one process are kept apart by its own lock.
                    if isAlive == true, other.process != own.process { throw DataFolderError.inUse(path) }
                    if isAlive == nil, isWatched, countsOn(other, file) {
                        throw DataFolderError.inUseElsewhere(path, host: other.host)
                    }
                }
                return (file, write(own, file))
            } catch {
                close(file)
                throw error
            }
        }

        deinit {
            if isMarked, isOurs {
                let last = mark.withLock { mark in
                    mark.isOver = true
                    return mark
                }
                _ = Self.write(last, descriptor)
            }
            close(descriptor)
        }

        /// Whether the mark in the file is still this holding's. It is not where another hub came in all the same.
        package var isOurs: Bool {
            // What cannot be read says nothing of another hub.
            guard isMarked, let found = Self.read(path + "/tandem.lock") else { return true }
            return found.token == mark.withLock { $0.token }
        }

        /// Counts on, so that another machine sees that the folder is had.
        package func beat() {
            let next = mark.withLock { mark in
                mark.beat += 1
                return mark
            }
            _ = Self.write(next, descriptor)
        }

        fileprivate static func reserve(_ file: Int32, _ kind: Int32) -> Int32 {
            var result: Int32
            repeat { result = flock(file, kind | LOCK_NB) } while result != 0 && errno == EINTR
            return result
        }

        private static func countsOn(_ mark: FolderMark, _ file: Int32) -> Bool {
            for _ in 0..<watch.times {
                Thread.sleep(forTimeInterval: watch.pause)
                if let now = read(file), now != mark { return !now.isOver }
            }
            return false
        }

        fileprivate static func read(_ file: Int32) -> FolderMark? {
            var bytes = [UInt8](repeating: 0, count: FolderMark.longest)
            let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
            return count > 0 ? FolderMark(bytes: Array(bytes.prefix(count))) : nil
        }

        /// Reads the mark by its path, as another machine does: a file that is open may be an older one.
        private static func read(_ path: String) -> FolderMark? {
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { return nil }
            defer { close(file) }
            return read(file)
        }

        /// Writes a mark in one piece, with spaces up to the end of a longer one before.
        private static func write(_ mark: FolderMark, _ file: Int32) -> Bool {
            guard var bytes = (try? JSONEncoder().encode(mark)).map({ [UInt8]($0) }), bytes.count < 1_024 else {
                return false
            }
            bytes += [UInt8](repeating: UInt8(ascii: " "), count: 1_023 - bytes.count) + [UInt8(ascii: "\n")]
            return bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) } == bytes.count
        }
    }
}
