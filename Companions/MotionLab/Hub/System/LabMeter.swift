import Foundation
import Synchronization

/// The lab's part of the hub's work: the time of the processor that reading and storing what phones send took, thread
/// by thread.
final class LabMeter: Sendable {
    private let nanoseconds = Atomic<UInt64>(0)

    /// Does `work`, and counts what it took of its thread's processor time.
    func measure<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        let start = Self.threadNanoseconds()
        defer { nanoseconds.add(Self.threadNanoseconds() &- start, ordering: .relaxed) }
        return try work()
    }

    /// The processor's time that was counted since the hub started.
    var microseconds: Int64 { Int64(clamping: nanoseconds.load(ordering: .relaxed) / 1_000) }

    private static func threadNanoseconds() -> UInt64 {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
