import Foundation
import Storage

/// The folder that holds all data of a hub: its database, keys and recordings.
public struct DataFolder: Sendable {
    /// The folder's path as it was given, absolute or relative.
    public let path: String

    /// The path of the SQLite database.
    public var databasePath: String { path + "/tandem.sqlite" }

    /// Opens the folder. One that does not exist is created, readable by its owner alone.
    ///
    /// - Throws: `DataFolderError` if the path is a file, or the folder cannot be created.
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
        // Before anybody opens them: whoever opens a pipe waits for somebody who writes into it.
        for name in ["tandem.sqlite", "tandem.sqlite-wal", "tandem.sqlite-shm", "tandem.lock"] {
            guard let kind = FileKind("\(path)/\(name)"), kind != .file else { continue }
            throw DataFolderError.special("\(path)/\(name)")
        }
    }

    /// The paths of the hub's files that other users of the machine can read or write, and of the folder itself if it
    /// is such. Files that are not the hub's are ignored, and the folder too if there are any, since then it has other
    /// uses.
    public func exposed() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let own = names.filter(Self.isOwn).sorted().map { "\(path)/\($0)" }
        let isShared = names.contains { !Self.isOwn($0) && Self.isExposed("\(path)/\($0)") }
        return (isShared ? own : [path] + own).filter(Self.isExposed)
    }

    /// Removes other users' permissions from the files that ``exposed()`` lists. Symbolic links are not followed.
    ///
    /// - Returns: the paths whose permissions were changed; files that belong to another user stay as they are.
    public func tighten() -> [String] {
        exposed().filter { path in
            var status = stat()
            // One that everybody may write, as /tmp, is nobody's own.
            guard lstat(path, &status) == 0, status.st_mode & S_ISVTX == 0 else { return false }
            // By its path: closing a file of the database would give up the locks that this process has on it.
            return chmod(path, status.st_mode & 0o700) == 0
        }
    }

    /// Whether a file name is one of the hub's: the database with what SQLite puts beside it, the lock, and the hub's
    /// name. The folder of the keys checks itself.
    private static func isOwn(_ name: String) -> Bool { name.hasPrefix("tandem.") || name == "name" }

    private static func isExposed(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        let kind = status.st_mode & S_IFMT
        return (kind == S_IFREG || kind == S_IFDIR) && status.st_mode & 0o077 != 0
    }

    /// Refuses to let root work in a folder that belongs to another user. SQLite's files beside the database would
    /// belong to root, and the hub could not write there any more.
    ///
    /// - Parameters:
    ///   - path: the folder's path; one that does not exist is allowed.
    ///   - user: the numeric id of the user who runs the command.
    ///   - command: the command as it was typed, so that the error can say how to type it right.
    /// - Throws: `DataFolderError.ofAnother`.
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
}

/// The reason why a data folder cannot be used, with words that say what to do.
public enum DataFolderError: Error, CustomStringConvertible {
    /// Another hub is using the folder.
    case inUse(String)
    /// A hub on another machine, or in another container, is using the folder.
    case inUseElsewhere(String, host: String)
    /// The disk gives no locks, for a reason in the system's words.
    case noLocks(String, reason: String)
    /// The path is a file's.
    case notAFolder(String)
    /// A folder, a pipe or a device is in the place of a file of the hub's.
    case special(String)
    /// The operating system does not allow the folder to be created or written.
    case notWritable(String)
    /// The disk can be read but not written.
    case readOnly(String)
    /// The disk is full.
    case full(String)
    /// Root was about to work in another user's folder; `command` is the command that does it as that user.
    case ofAnother(String, command: String)

    /// Creates the error for a path that could not be written, from `errno`.
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
        case .inUseElsewhere(let path, let host):
            "Another hub, on the machine “\(host)”, is running on \(path), which both reach by the network. Stop it, or start this one with another --data folder."
        case .noLocks(let path, let reason):
            "The disk that holds \(path) gives no locks (\(reason)), so that nothing would keep a second hub out. That is so of network disks whose lock service does not run. Copy the folder to a disk of this machine and start with --data there; `tandem doctor` says what disk it is."
        case .notAFolder(let path): "\(path) is a file. Name a folder with --data."
        case .special(let path):
            "\(path) is a folder, a pipe or a device, and the hub has a file of this name. Move it away, or name another folder with --data."
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
    /// The string as one word of a shell command, quoted if need be (POSIX.1-2024, Shell Command Language, 2.2.2).
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
