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
                throw DataFolderError.notWritable(path)
            }
        }
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
            guard descriptor >= 0 else { throw DataFolderError.notWritable(path) }
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
    case inUse(String)
    case notAFolder(String)
    case notWritable(String)

    public var description: String {
        switch self {
        case .inUse(let path):
            "Another hub is running on \(path). Stop it, or start this one with another --data folder."
        case .notAFolder(let path): "\(path) is a file. Name a folder with --data."
        case .notWritable(let path): "\(path) cannot be made or written. Choose a folder of yours with --data."
        }
    }
}
