import Foundation

/// A TCP socket that listens on this machine, as the system's table lists it.
struct ListeningSocket: Equatable {
    var port: Int
    /// The numeric id of the user who opened it.
    var user: UInt32
    var inode: UInt64

    /// Reads the listening sockets of a table such as `/proc/net/tcp` (the kernel's `proc_net_tcp.txt`); lines of
    /// another form are ignored.
    static func read(table: String) -> [ListeningSocket] {
        table.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            // 0A is TCP_LISTEN.
            guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
                let port = Int(fields[1][fields[1].index(after: colon)...], radix: 16), (0...65_535).contains(port),
                let user = UInt32(fields[7]), let inode = UInt64(fields[9])
            else { return nil }
            return ListeningSocket(port: port, user: user, inode: inode)
        }
    }

    /// The sockets that listen on a port now.
    static func all(on port: Int) -> [ListeningSocket] {
        ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { path in
            read(table: KernelTable.text(path))
        }.filter { $0.port == port }
    }
}

/// The program that holds a port, as far as the system tells this user.
public struct PortHolder: Sendable, Equatable {
    /// The name of the program; nil if it belongs to another user.
    public var program: String?
    /// The number of its process; nil if it belongs to another user.
    public var process: Int?
    /// The name of its user, or the user's number.
    public var user: String?

    /// Creates a holder.
    public init(program: String? = nil, process: Int? = nil, user: String? = nil) {
        self.program = program
        self.process = process
        self.user = user
    }

    /// The holder in words; nil if nothing is known of it.
    var words: String? {
        switch (program, process, user) {
        case (let program?, let process?, _): "\(program) (process \(process))"
        case (let program?, nil, _): program
        case (nil, _, let user?): "a program of the user \(user)"
        case (nil, _, nil): nil
        }
    }

    /// The holder of a port on this machine; nil if the system lists none.
    static func find(port: Int) -> PortHolder? {
        let sockets = ListeningSocket.all(on: port)
        guard let first = sockets.first else { return nil }
        let user = getpwuid(first.user).flatMap { $0.pointee.pw_name.map { String(cString: $0) } } ?? "\(first.user)"
        let wanted = Set(sockets.map { "socket:[\($0.inode)]" })
        let manager = FileManager.default
        for process in ((try? manager.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap({ Int($0) }) {
            let folder = "/proc/\(process)/fd"
            let holds = ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).contains { name in
                (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")).map(wanted.contains) ?? false
            }
            guard holds else { continue }
            let program = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
            return PortHolder(
                program: program?.trimmingCharacters(in: .whitespacesAndNewlines), process: process, user: user)
        }
        return PortHolder(user: user)
    }
}
