import Foundation
import HubKit
import NIOPosix

/// Gives memory that the hub has freed back to the system.
///
/// glibc keeps what was freed below something that is still in use, and gives back the top of its heap alone: after 6,400
/// streams of HTTP/2 that came and went, 190 megabytes were free and stayed the process's, on a machine that may have
/// 512. `malloc_trim` (malloc_trim(3)) gives back whole free pages wherever they lie, in some milliseconds.
enum FreedMemory {
    private typealias Trim = @convention(c) (Int) -> Int32

    private static let interval = Duration.seconds(30)

    /// Until its task is cancelled.
    static func giveBack() async {
        // By its name: `malloc.h` is in no module, and other C libraries have no such function.
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim") else { return }
        // As its manual declares it: int malloc_trim(size_t).
        let trim = unsafeBitCast(symbol, to: Trim.self)
        while (try? await Task.sleep(for: interval)) != nil {
            try? await NIOThreadPool.singleton.runIfActive { _ = trim(0) }
        }
    }
}
