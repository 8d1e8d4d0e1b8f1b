import Foundation

/// The resources that the hub's process uses, from its clock and, on Linux, `/proc`.
struct ProcessFigures {
    /// The processor time, in seconds of all processors.
    var processorSeconds: Double
    /// The resident memory in bytes; nil if the system does not tell.
    var residentBytes: Int?
    var openFiles: Int?

    /// The current values.
    static func now() -> ProcessFigures {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        // The second of its fields, in pages (proc(5)).
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return ProcessFigures(
            processorSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9,
            residentBytes: pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) },
            openFiles: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count)
    }
}
