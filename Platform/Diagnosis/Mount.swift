import Foundation

/// A file system in the folder tree of this machine.
public struct Mount: Sendable, Equatable {
    /// The folder where it begins.
    public var folder: String
    /// The type, such as `ext4`, `nfs4` or `fuse.sshfs`.
    public var type: String
    /// The place that it comes from, such as `/dev/sda1` or `nas:/volume1`.
    public var source: String

    /// Creates a mount.
    public init(folder: String, type: String, source: String) {
        self.folder = folder
        self.type = type
        self.source = source
    }

    /// Reads a table such as `/proc/self/mountinfo` (proc(5)); lines of another form are ignored.
    public static func read(table: String) -> [Mount] {
        table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            // Optional fields stand between the sixth and a hyphen.
            guard fields.count > 9, let hyphen = fields.dropFirst(6).firstIndex(of: "-"), hyphen + 2 < fields.count
            else { return nil }
            return Mount(
                folder: plain(fields[4]), type: plain(fields[hyphen + 1]), source: plain(fields[hyphen + 2]))
        }
    }

    /// The mount that holds a path: the deepest, and of several at one folder the last, which hides the others.
    ///
    /// - Parameter path: an absolute path without symbolic links.
    public static func holding(_ path: String, of mounts: [Mount]) -> Mount? {
        mounts.reduce(nil) { best, mount in
            let isAround = mount.folder == "/" || path == mount.folder || path.hasPrefix(mount.folder + "/")
            return isAround && mount.folder.utf8.count >= (best?.folder.utf8.count ?? 0) ? mount : best
        }
    }

    /// A field without the kernel's escapes, three octal digits behind a backslash.
    private static func plain(_ field: Substring) -> String {
        let bytes = Array(field.utf8)
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "\\"), at + 3 < bytes.count,
                let value = UInt8(String(decoding: bytes[(at + 1)...(at + 3)], as: UTF8.self), radix: 8)
            {
                result.append(value)
                at += 4
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
