import Foundation

/// A file that somebody named to a command, read whole.
public enum CommandFile {
    /// Why there is nothing to read, in words that follow the file's name.
    public enum Failure: Error, Equatable {
        /// Nothing is called so.
        case missing
        /// It is a folder.
        case folder
        /// Whoever runs the command may not read it.
        case notPermitted
        /// It has no bytes.
        case empty
        /// Of so many bytes at most.
        case tooLarge(limit: Int)
        /// The disk does not give it.
        case unreadable

        /// What is wrong, and what to do: `is a folder. Name the file in it.`
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

        /// With which a command ends, of sysexits.h: 65 where the file is at fault, 66 where it cannot be had.
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
    ///   - path: as it was typed.
    ///   - limit: bytes; of a larger file no more than that is read into memory.
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
