import Foundation
import HubKit
import NIOPosix

/// The return of unused memory to the operating system.
///
/// glibc keeps freed memory below anything that is still in use, and returns only the top of its heap: after 6,400
/// streams of HTTP/2 came and went, 190 megabytes were free and stayed the process's, on a machine that may have 512.
/// `malloc_trim` (malloc_trim(3)) returns whole free pages wherever they are, in some milliseconds.
///
/// Code and constants that only the start has used stay mapped, some megabytes of them. They are released (madvise(2),
/// `MADV_DONTNEED`): the system caches them as long as it has room, and they are found there if they are used again.
enum MemoryTrimmer {
    private typealias Trim = @convention(c) (Int) -> Int32

    private static let interval = Duration.seconds(30)
    /// The time from the start to the first return, when the memory of the start is free.
    private static let first = Duration.seconds(1)

    /// Returns memory at intervals, until its task is cancelled.
    static func run() async {
        // By its name: `malloc.h` is in no module, and other C libraries have no such function.
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
        // As its manual declares it: int malloc_trim(size_t).
        let trim = unsafeBitCast(symbol, to: Trim.self)
        var pause = first
        while (try? await Task.sleep(for: pause)) != nil {
            pause = interval
            try? await NIOThreadPool.singleton.runIfActive {
                _ = trim(0)
                releaseCode()
            }
        }
    }

    /// Releases code that is not running at the moment.
    static func releaseCode() {
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return }
        for range in codeRanges(maps) {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// The mappings of files that cannot have been changed: code, and the constants before it. Read-only data after a
    /// file's code may have been changed when its addresses were relocated (RELRO), and is left alone.
    ///
    /// - Parameter maps: the contents of `/proc/self/maps` (proc_pid_maps(5)).
    static func codeRanges(_ maps: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var constants: (file: Substring, ranges: [Range<UInt>])?
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count == 6 else { continue }
            let file = fields[5].drop { $0 == " " }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard file.hasPrefix("/"), ends.count == 2, ends[0] < ends[1] else { continue }
            let range = ends[0]..<ends[1]
            switch fields[1] {
            case "r-xp":
                if let before = constants, before.file == file { ranges += before.ranges }
                constants = nil
                ranges.append(range)
            // The first mapping of a file begins at its beginning.
            case "r--p" where UInt(fields[2], radix: 16) == 0: constants = (file, [range])
            default: constants = nil
            }
        }
        return ranges
    }
}
