import Foundation

/// The use of the machine by the hub's process, as Linux says in `/proc/self` (proc(5)).
struct ProcessUsage: Sendable, Equatable {
    /// The processor's time in user and kernel mode, all threads together, since the process started.
    var cpuMicroseconds: Int64
    /// The bytes of main memory that are the process's now.
    var residentBytes: Int64

    init(cpuMicroseconds: Int64, residentBytes: Int64) {
        self.cpuMicroseconds = cpuMicroseconds
        self.residentBytes = residentBytes
    }

    /// The present use; nil where there is no `/proc`.
    static func now() -> ProcessUsage? {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let memory = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        else { return nil }
        return ProcessUsage(
            stat: stat, memory: memory, ticksPerSecond: Int64(sysconf(Int32(_SC_CLK_TCK))),
            pageBytes: Int64(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// Reads the use from the texts of `/proc`.
    ///
    /// - Parameters:
    ///   - stat: of `/proc/<pid>/stat`; fields 14 and 15 are ticks in user and kernel mode. The second field is the
    ///     name of the program in brackets, which may hold anything.
    ///   - memory: of `/proc/<pid>/statm`; the second field is pages.
    /// - Returns: nil for texts of another form.
    init?(stat: String, memory: String, ticksPerSecond: Int64, pageBytes: Int64) {
        guard let end = stat.lastIndex(of: ")"), ticksPerSecond > 0 else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        // The third field stands first here.
        guard fields.count > 12, let user = Int64(fields[11]), let kernel = Int64(fields[12]),
            let pages = memory.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
        else { return nil }
        cpuMicroseconds = (user + kernel) * 1_000_000 / ticksPerSecond
        residentBytes = pages * pageBytes
    }
}
