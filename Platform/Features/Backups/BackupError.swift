import GRDB
import HubKit
import Localization
import Storage

/// The reason why a backup was not made or restored, with what to do about it.
public enum BackupError: Error, CustomStringConvertible, Equatable {
    /// The file does not exist.
    case missing(String)
    /// The file is a database, but not a backup.
    case noBackup(String)
    /// The file was changed since it was made.
    case damaged(String)
    /// The backup was made by a newer version of Tandem.
    case newer(String)
    /// A build from before the first release made it.
    case unreleased(String)
    /// The path leads to a folder, a pipe, a device or the like.
    case notAFile(String)
    /// The backup is not as a hub makes one: it has triggers or views, other tables, paths that lead elsewhere.
    case foreign(String, what: String, difference: SchemaDifference? = nil)
    /// The backup was made and is whole, of a database that is not as a hub makes it, so that a restore would refuse it.
    case unrestorable(String, database: String, what: String, difference: SchemaDifference?)
    /// A folder is in the place of a file of the backup, or a file in the place of a folder.
    case inTheWay(String)
    /// The backup could not be taken over; what had been moved is back in its place.
    case putBack(reason: String)
    /// The backup could not be taken over for a reason that passes; it stays staged in a file.
    case kept(String, reason: String)
    /// The backup could be neither taken over nor undone; the next start goes on with it.
    case halfDone(aside: String, reason: String)
    case noRoom(String, freeMegabytes: Int, wantedMegabytes: Int)
    case notWritable(String)
    case tooLarge(String, limit: Int)
    case other(String, reason: String)

    /// Whether it passes when somebody makes room or lets the hub write, so that the same backup can be taken over then.
    var isPassing: Bool {
        switch self {
        case .noRoom, .notWritable: true
        default: false
        }
    }

    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .noBackup(path)
        case .SQLITE_CORRUPT: self = .damaged(path)
        case .SQLITE_FULL: self = .noRoom(path, freeMegabytes: 0, wantedMegabytes: 0)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: self = .notWritable(path)
        default:
            self = .other(
                path,
                reason: "\(error.message ?? error.description) (SQLite \(error.extendedResultCode.rawValue))")
        }
    }

    public var description: String {
        switch self {
        case .missing(let path): "There is no file \(path). Nothing was changed."
        case .noBackup(let path):
            "\(path) is no backup of Tandem’s. Choose a file that `tandem backup` or the hub has made. Nothing was changed."
        case .damaged(let path):
            "\(path) is damaged: it is not what it was when it was made. Take an older backup. Nothing was changed."
        case .newer(let path):
            "\(path) was made by a newer Tandem than this one. Install that version or a later one. Nothing was changed."
        case .unreleased(let path):
            "\(path) was made by a build of Tandem from before 0.1.0, the first release, which reads no such file. Nothing was changed."
        case .notAFile(let path):
            "\(path) is a folder, a pipe or a device. Name a file. Nothing was changed."
        case .foreign(let path, let what, _):
            "\(path) is not as a hub makes it: \(what). Somebody has changed it, or the database that it was made of. Take a backup from before that; where the hub’s database has it as well, which `tandem doctor` says, take it back there and make another backup. Nothing was changed."
        case .unrestorable(let path, let database, let what, let difference):
            "\(path) was made and is whole, but a restore would refuse it: \(what). Somebody has changed the hub’s database. \(Self.removal(difference, database)), and make another backup."
        case .inTheWay(let path):
            "\(path) is in the way: the backup has a file where it is a folder, or a folder where it is a file. Move it away and try again. Nothing was changed."
        case .putBack(let reason):
            "The backup could not be taken over. \(reason) What had been moved is back in its place, and the hub is what it was. Mend that, then restore it once more."
        case .kept(let path, let reason):
            "The backup could not be taken over. \(reason) It stays in \(path), and the next start tries again; what is stored until then is moved aside with the rest. To give it up, delete that file."
        case .halfDone(let aside, let reason):
            "The backup could be taken over only in part, and that could not be undone. \(reason) What was there before is in \(aside). Mend that, then start the hub: it goes on with the backup."
        case .noRoom(let path, _, 0): "The disk that holds \(path) is full. Free some space, then try again."
        case .noRoom(let path, let free, let wanted):
            "The disk that holds \(path) has \(free) MB free, and a backup takes \(wanted). Free some space, or choose another folder."
        case .notWritable(let path):
            "\(path) cannot be written. Check that its folder exists, is yours, and is on a disk that can be written."
        case .tooLarge(let path, let limit): "\(path) is larger than \(limit >> 20) MB, which no file of a hub’s is."
        case .other(let path, let reason): "\(path) cannot be used: \(reason)"
        }
    }

    /// What is to be done with a database that somebody has changed, as the beginning of a sentence.
    private static func removal(_ difference: SchemaDifference?, _ database: String) -> String {
        guard let statement = difference?.removal else { return "Stop the hub, take that back by hand" }
        return "Stop the hub, take that back with: sqlite3 \(database.quoted) \(statement.printable.quoted)"
    }

    /// The reason for a page, without the hub's paths, which mean nothing to its reader.
    var words: LocalizedText {
        switch self {
        case .noRoom(_, _, 0):
            LocalizedText(
                "The disk with the folder for backups is full. Free some space on it, or choose another folder.")
        case .noRoom(_, let free, let wanted):
            LocalizedText(
                "The disk with the folder for backups has \(free) MB free, and a backup takes \(wanted). Free some space on it, or choose another folder."
            )
        case .notWritable:
            LocalizedText(
                "The hub cannot write to the folder for backups. Look whether it is there, is the hub’s, and is on a disk that can be written."
            )
        case .damaged:
            LocalizedText(
                "The hub’s database is damaged, or the disk with the folder for backups is. Keep the older backups; the hub’s log says more."
            )
        case .tooLarge(_, let limit):
            LocalizedText(
                "A file of the hub’s is larger than \(limit >> 20) MB, which a backup does not take. The hub’s log says which."
            )
        case .unrestorable(_, _, _, let difference):
            if let difference, let statement = difference.removal {
                LocalizedText(
                    "The backup was made, but it could not be restored: somebody has added “\(difference.name.printable)” to the hub’s database. Stop the hub, remove it there with the program sqlite3 (\(statement.printable)), and make another backup."
                )
            } else {
                LocalizedText(
                    "The backup was made, but it could not be restored: somebody has changed the hub’s database by hand. The hub’s log says what. Take that back, and make another backup."
                )
            }
        case .missing, .noBackup, .newer, .unreleased, .notAFile, .foreign, .inTheWay, .putBack, .kept, .halfDone,
            .other:
            LocalizedText("Something in the hub went wrong; its log says what. Try again, and tell us if it stays.")
        }
    }
}
