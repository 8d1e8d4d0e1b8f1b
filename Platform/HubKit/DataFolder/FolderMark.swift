import Foundation

/// The mark of the process that has a data folder, in the file of its lock.
///
/// On network disks the locks of two machines, or of two processes, may not know of each other. The mark does: it says who
/// has the folder, and while it is had it counts on.
package struct FolderMark: Codable, Sendable, Equatable {
    /// The machine's name, for people.
    package var host: String
    /// The id of the machine's start, the same for all its processes (random(4), boot_id).
    package var boot: String
    /// The namespace in which the process has its number; a container has one of its own.
    package var namespace: String
    /// The number of the process.
    package var process: Int32
    /// The time at which the process began, in clock ticks since the machine's start (proc(5), stat, field 22): a number is given again.
    package var began: UInt64
    /// A text that tells this holding of the folder from any other.
    package var token: String
    /// A number that is raised while the folder is had.
    package var beat = 0
    /// Whether the process has given the folder back.
    package var isOver = false

    /// The longest mark, in bytes.
    static let longest = 4_096

    /// The mark of this process, for another holding.
    package static func own() -> FolderMark {
        FolderMark(
            host: ProcessInfo.processInfo.hostName, boot: text("/proc/sys/kernel/random/boot_id"),
            namespace: link("/proc/self/ns/pid"), process: getpid(), began: began(getpid()) ?? 0,
            token: Secret.identifier())
    }

    /// Reads a mark; nil if there is none, such as in the lock of an older version.
    package init?(bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let mark = try? JSONDecoder().decode(FolderMark.self, from: Data(bytes))
        else {
            return nil
        }
        self = mark
    }

    /// Creates a mark.
    package init(
        host: String, boot: String, namespace: String, process: Int32, began: UInt64, token: String
    ) {
        (self.host, self.boot, self.namespace, self.process) = (host, boot, namespace, process)
        (self.began, self.token) = (began, token)
    }

    /// Whether the process is there; nil where it has its number elsewhere, on another machine or in another container.
    package func isAlive(seenBy own: FolderMark) -> Bool? {
        guard !boot.isEmpty, boot == own.boot, namespace == own.namespace else { return nil }
        return process > 0 && Self.began(process) == began
    }

    /// The time at which a process began; nil if there is none.
    private static func began(_ process: Int32) -> UInt64? {
        // The name of the program, in brackets, may hold anything.
        let line = text("/proc/\(process)/stat")
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[end...].split(separator: " ")
        // One that has ended, and was not asked how, holds nothing any more.
        guard fields.count > 20, !["Z", "X"].contains(fields[1]) else { return nil }
        return UInt64(fields[20])
    }

    private static func text(_ path: String) -> String {
        guard let content = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: content, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func link(_ path: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
    }
}
