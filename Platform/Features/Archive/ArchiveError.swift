import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The reason why an archive was not made or imported, with what to do about it.
public enum ArchiveError: Error, CustomStringConvertible, Equatable {
    /// The file does not exist.
    case missing(String)
    /// The path leads to a folder, a pipe, a device or the like.
    case notAFile(String)
    /// An entry of the archive is a link, a folder or a device in the place of a file.
    case special(String, file: String)
    /// A value in the archive is of another type than its column.
    case otherType(String, file: String, column: String)
    /// The file is not an archive of a hub.
    case noArchive(String)
    /// A file in the archive was changed.
    case damaged(String, file: String)
    /// A file in the archive is compressed, which a hub never does.
    case notStored(String, file: String)
    /// The archive was made to do harm: names that lead elsewhere, files that share bytes.
    case hostile(String, file: String)
    /// A file or line in the archive is longer than a hub writes.
    case tooLarge(String, file: String)
    /// The archive was made by a newer version of Tandem.
    case newer(String)
    /// The archive was made by a build from before the first release.
    case unreleased(String)
    /// The hub has a household already.
    case notEmpty(String)
    /// The hub has no household to archive.
    case noHousehold(String)
    /// Nobody of the household has this id or name.
    case nobody(String)
    case noRoom(String, freeMegabytes: Int, wantedMegabytes: Int)
    case notWritable(String)
    /// The export was cancelled, or the hub stops.
    case cancelled
    case other(String, reason: String)

    init(_ error: ZipError, path: String) {
        switch error {
        case .notAnArchive, .tooMany: self = .noArchive(path)
        case .damaged(let file): self = .damaged(path, file: file)
        case .notStored(let file): self = .notStored(path, file: file)
        case .hostileName(let file), .repeated(let file), .overlapping(let file): self = .hostile(path, file: file)
        case .tooLarge(let file): self = .tooLarge(path, file: file)
        case .notAFile(let file): self = .special(path, file: file)
        }
    }

    init(_ error: any Error, path: String) {
        switch error {
        case let error as ArchiveError: self = error
        case is CancellationError: self = .cancelled
        case let error as ZipError: self.init(error, path: path)
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
            self = .noRoom(path, freeMegabytes: 0, wantedMegabytes: 0)
        case let error as DatabaseError:
            // SQLite’s own words, such as “error 11”, do not say what to do.
            self = .other(path, reason: "\(HubDatabaseError(error, path: "the hub’s database"))")
        default: self = .other(path, reason: "\(error)")
        }
    }

    public var description: String {
        switch self {
        case .missing(let path): "There is no file \(path). Nothing was changed."
        case .notAFile(let path): "\(path) is a folder, a pipe or a device. Name a file. Nothing was changed."
        case .special(let path, let file):
            "\(path) is not safe\(Self.at(file)): that is a link, a folder or a device, and no file. Whoever gave it to you did not get it from a hub. Nothing was changed."
        case .otherType(let path, let file, let column):
            "\(path) is damaged\(Self.at(file)): “\(column)” is no value that a hub writes there. Take the file as the hub made it. Nothing was changed."
        case .noArchive(let path):
            "\(path) is no archive of a household. Choose a file that `tandem export everything` or the page has made. Nothing was changed."
        case .damaged(let path, let file):
            "\(path) is damaged\(Self.at(file)): it is not what it was when it was made. Copy it again, or export once more. Nothing was changed."
        case .notStored(let path, let file):
            "\(path) was packed anew\(Self.at(file)), with compression. Take the file as the hub made it, or pack it with `zip -0 -r`. Nothing was changed."
        case .hostile(let path, let file):
            "\(path) is not safe\(Self.at(file)): a name in it leads elsewhere, or files share their bytes. Whoever gave it to you did not get it from a hub. Nothing was changed."
        case .tooLarge(let path, let file):
            "\(path) has something longer than any hub writes\(Self.at(file)). Nothing was changed."
        case .newer(let path):
            "\(path) was made by a newer Tandem than this one. Install that version or a later one. Nothing was changed."
        case .unreleased(let path):
            "\(path) was made by a build of Tandem from before 0.1.0, the first release, which takes in no such archive. The tables, recordings and pictures in it are files that other programs open. Nothing was changed."
        case .notEmpty(let folder):
            "\(folder) has a household already, and an archive becomes a hub of its own. Name an empty folder with --data. Nothing was changed."
        case .noHousehold(let folder): "\(folder) has no household yet, so there is nothing to export."
        case .nobody(let name): "Nobody here is called \(name). Nothing was written."
        case .noRoom(let path, _, 0): "The disk that holds \(path) is full. Free some space, then try again."
        case .noRoom(let path, let free, let wanted):
            "The disk that holds \(path) has \(free) MB free, and this takes up to \(wanted). Free some space, or choose another folder."
        case .notWritable(let path):
            "\(path) cannot be written. Check that its folder exists, is yours, and is on a disk that can be written."
        case .cancelled: "It was stopped before it was done. Nothing was changed."
        case .other(let path, let reason): "\(path) cannot be used: \(reason)"
        }
    }

    /// The reason for a page, without the hub's paths, which mean nothing to its reader.
    var words: LocalizedText {
        switch self {
        case .noRoom(_, _, 0):
            LocalizedText("The disk with the hub’s folder is full. Free some space on it, then try again.")
        case .noRoom(_, let free, let wanted):
            LocalizedText(
                "The disk with the hub’s folder has \(free) MB free, and this takes up to \(wanted). Free some space on it, then try again."
            )
        case .notWritable:
            LocalizedText(
                "The hub cannot write to its folder. Look whether its disk is connected, worn out, or mounted for reading only."
            )
        case .noHousehold: LocalizedText("Nobody lives here yet, so there is nothing to take along.")
        case .nobody: LocalizedText("This person does not live here any more.")
        default:
            LocalizedText("Something in the hub went wrong; its log says what. Try again, and tell us if it stays.")
        }
    }

    private static func at(_ file: String) -> String { file.isEmpty ? "" : " at “\(file)”" }
}
