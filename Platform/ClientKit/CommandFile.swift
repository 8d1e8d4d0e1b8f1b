import Foundation

/// A file that was named on the command line, read as a whole.
public enum CommandFile {
    /// The reason why a file cannot be read, in words that follow its name.
    public enum Failure: Error, Equatable {
        /// The file does not exist.
        case missing
        /// The path is a folder's.
        case folder
        /// The user who runs the command may not read the file.
        case notPermitted
        /// The file is empty.
        case empty
        /// The file has more bytes than `limit`.
        case tooLarge(limit: Int)
        /// The disk reports an error.
        case unreadable

        /// The reason with what to do, such as `is a folder. Name the file in it.`
        public var message: String {
            switch self {
            case .missing: "is not there. Check its name, and the folder that you are in."
            case .folder: "is a folder. Name the file in it."
            case .notPermitted: "is not yours to read. Ask whose it is, or copy it as that user."
            case .empty: "is empty. Choose another file, or save it once more."
            case .tooLarge(let limit):
                "is larger than \(limit >= 1 << 20 ? "\(limit >> 20) MB" : "\(limit >> 10) KB"), which is the most that this command reads."
            case .unreadable: "cannot be read. Its disk may be broken, or gone."
            }
        }

        /// The exit code of the command, from sysexits.h: 65 if the file is at fault, 66 if it cannot be read.
        public var code: Int32 {
            switch self {
            case .empty, .tooLarge: 65
            case .missing, .folder, .notPermitted, .unreadable: 66
            }
        }
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - path: the path as it was typed.
    ///   - limit: the size that is allowed, in bytes; of a larger file no more than that is read into memory.
    public static func read(_ path: String, upTo limit: Int) throws(Failure) -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .missing }
        guard !isFolder.boolValue else { throw .folder }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw FileManager.default.isReadableFile(atPath: path) ? .unreadable : .notPermitted
        }
        defer { try? handle.close() }
        let content: Data
        do {
            // At the end of a file nothing is read, which is no error.
            content = try handle.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw .unreadable
        }
        guard !content.isEmpty else { throw .empty }
        guard content.count <= limit else { throw .tooLarge(limit: limit) }
        return Array(content)
    }
}
