import Foundation
import Storage

/// The folder that holds everything of a hub: its database, and later its keys.
public struct DataFolder: Sendable {
    /// As it was named, absolute or not.
    public let path: String

    /// The SQLite file in it.
    public var databasePath: String { path + "/tandem.sqlite" }

    /// Opens the folder, making it readable by its owner alone where it does not exist.
    public init(path: String) throws {
        self.path = path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw DataFolderError.notAFolder(path) }
        } else {
            do {
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw DataFolderError(notWritten: path)
            }
        }
    }

    /// The hub's own files in it that other users of the machine can read or write, and the folder itself where it is; by
    /// path. Files of anybody else, in a folder that is used for more, are not looked at.
    public func exposed() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let own = names.filter(Self.isOwn).sorted().map { "\(path)/\($0)" }
        let isShared = names.contains { !Self.isOwn($0) && Self.isExposed("\(path)/\($0)") }
        return (isShared ? own : [path] + own).filter(Self.isExposed)
    }

    /// Takes the right to read and write from other users where they have it. Links are not followed.
    ///
    /// - Returns: what was changed, by path; what belongs to another user stays as it is.
    public func tighten() -> [String] {
        exposed().filter { path in
            var status = stat()
            // One that everybody may write, as /tmp, is nobody's own.
            guard lstat(path, &status) == 0, status.st_mode & S_ISVTX == 0 else { return false }
            // By its path: closing a file of the database would give up the locks that this process has on it.
            return chmod(path, status.st_mode & 0o700) == 0
        }
    }

    /// The database with what SQLite and people put beside it, the lock, and the hub's name. Keys have a folder that checks
    /// its own.
    private static func isOwn(_ name: String) -> Bool { name.hasPrefix("tandem.") || name == "name" }

    private static func isExposed(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return (kind == S_IFREG || kind == S_IFDIR) && status.st_mode & 0o077 != 0
    }

    /// Refuses what root would do in the folder of another user. The files that SQLite puts beside the database would be
    /// root's, and the hub could not write there any more.
    ///
    /// - Parameters:
    ///   - path: of the folder; where there is none, nobody is in the way.
    ///   - user: who does it, by number.
    ///   - command: what was typed, to say how it is typed right.
    public static func checkOwner(
        of path: String, user: uid_t = geteuid(), command: [String] = ProcessInfo.processInfo.arguments
    ) throws(DataFolderError) {
        var folder = stat()
        guard user == 0, stat(path, &folder) == 0, folder.st_uid != 0 else { return }
        let owner = try? FileManager.default.attributesOfItem(atPath: path)[.ownerAccountName] as? String
        // A user without a name is known to sudo by number.
        throw .ofAnother(
            path,
            command: (["sudo", "-u", owner ?? "#\(folder.st_uid)"] + command).map(\.quoted).joined(separator: " "))
    }

    /// Holds the folder for one hub until the process ends, however it ends.
    ///
    /// - Throws: `DataFolderError.inUse` while another hub holds it.
    public func lock() throws -> Lock { try Lock(path: path) }

    /// A lock of the operating system's, which a killed process cannot leave behind.
    public final class Lock: Sendable {
        private let descriptor: Int32

        fileprivate init(path: String) throws {
            descriptor = open(path + "/tandem.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw DataFolderError(notWritten: path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw DataFolderError.inUse(path)
            }
        }

        deinit { close(descriptor) }
    }
}

/// Why a data folder cannot be used, and what to do about it.
public enum DataFolderError: Error, CustomStringConvertible {
    /// Another hub holds the folder.
    case inUse(String)
    /// The path is that of a file.
    case notAFolder(String)
    /// The system does not let it be made or written.
    case notWritable(String)
    /// Its disk can be read, and not written.
    case readOnly(String)
    /// Its disk has no room for another file.
    case full(String)
    /// Root is at work, and the folder is another user's; with the command as that user has to give it.
    case ofAnother(String, command: String)

    /// From what the system said last.
    init(notWritten path: String) {
        self =
            switch errno {
            case EROFS: .readOnly(path)
            case ENOSPC, EDQUOT: .full(path)
            default: .notWritable(path)
            }
    }

    public var description: String {
        switch self {
        case .inUse(let path):
            "Another hub is running on \(path). Stop it, or start this one with another --data folder."
        case .notAFolder(let path): "\(path) is a file. Name a folder with --data."
        case .notWritable(let path): "\(path) cannot be made or written. Choose a folder of yours with --data."
        case .readOnly(let path):
            "The disk that holds \(path) can be read but not written: it is worn out, or was mounted so. Nothing was lost. Make it writable (mount -o remount,rw), or copy the folder to another disk and start with --data there."
        case .full(let path): "The disk that holds \(path) is full. Free some space, then try again."
        case .ofAnother(let path, let command):
            """
            \(path) belongs to another user, whose hub could not use what root leaves there. Nothing was changed. \
            Do it as that user: \(command)
            """
        }
    }
}

extension String {
    /// As a word of a shell (POSIX.1-2024, Shell Command Language, 2.2.2).
    public var quoted: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isPlain ? self : "'" + replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}
