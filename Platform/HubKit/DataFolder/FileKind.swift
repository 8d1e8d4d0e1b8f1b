import Foundation

/// The kind of what is at a path, without opening it: a pipe or a device would keep whoever opens it waiting.
package enum FileKind: Sendable, Equatable {
    case file, folder
    /// A pipe, a socket or a device.
    case special

    /// The kind of what is at a path, behind symbolic links; nil if there is nothing, or a link that leads nowhere.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .special
            }
    }

    /// The kind of what is itself at a path: a symbolic link is special. Nil if there is nothing.
    package static func itself(_ path: String) -> FileKind? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileKind(status) : nil
    }

    /// Whether there is anything at a path, a link that leads nowhere too.
    package static func isAnything(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
