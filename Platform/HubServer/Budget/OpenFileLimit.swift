import Foundation
import HubKit

/// How many files the process may have open, RLIMIT_NOFILE of setrlimit(2).
public enum OpenFileLimit {
    /// More than the hub can ever use. Programs that it starts have the same limit, and some go through all of it.
    static let most = 65_536

    /// Raises the limit to the most that the process may set by itself, and returns what holds then. A shell's 1,024 is
    /// there for programs that use select(2), which the hub does not.
    public static func raise() -> Int {
        var limit = rlimit()
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return most }
        let soft = limit.rlim_cur
        limit.rlim_cur = max(soft, min(limit.rlim_max, rlim_t(most)))
        return setrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : Int(clamping: soft)
    }
}
