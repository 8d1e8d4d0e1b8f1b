import Foundation

/// A table that the kernel writes while it is read, such as `/proc/net/tcp`.
enum KernelTable {
    /// The text of a table; empty if it cannot be read.
    ///
    /// Read to its end by a file handle: such a file has a size of 0, and `String(contentsOfFile:)` then stops at the
    /// first read that is shorter than 4,096 bytes, which each of the kernel's is.
    static func text(_ path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? file.close() }
        return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }
}
