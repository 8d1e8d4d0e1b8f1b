import GRDB
import Localization

/// Why there is no backup, or why one is not restored, and what to do about it.
public enum BackupError: Error, CustomStringConvertible, Equatable {
    /// There is no such file.
    case missing(String)
    /// It is a database, and none that `tandem backup` has made.
    case noBackup(String)
    /// It is not what it was when it was made.
    case damaged(String)
    /// A newer Tandem made it.
    case newer(String)
    case noRoom(String, freeMegabytes: Int, wantedMegabytes: Int)
    case notWritable(String)
    case tooLarge(String, limit: Int)
    case other(String, reason: String)

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
        case .tooLarge(let path, let limit): "\(path) is larger than \(limit >> 20) MB, which no file of a hub’s is."
        case .noRoom, .notWritable, .other: words.english
        }
    }

    /// Why none was made, for adults on a page.
    var words: LocalizedText {
        switch self {
        case .noRoom(let path, let free, let wanted): .noRoom(for: path, free: free, wanted: wanted)
        case .notWritable(let path): .notWritable(path)
        case .other(let path, let reason): .unusable(path, reason: reason)
        case .missing(let path), .noBackup(let path), .damaged(let path), .newer(let path), .tooLarge(let path, _):
            .unusable(path, reason: description)
        }
    }
}
