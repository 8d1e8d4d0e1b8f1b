import HubKit
import Logging
import Synchronization

/// Counts guesses in the log: one line at first, then at most one a minute, whatever comes. No email, code or address
/// goes into it.
final class GuessLog: Sendable {
    enum Kind: CaseIterable { case wrongPassword, wrongCode }

    private static let pauseMilliseconds: Int64 = 60_000

    private struct Counted {
        var count = 0
        var writtenAt: Int64?
    }

    private let log: Logger
    private let counted = Mutex<[Kind: Counted]>([:])

    init(_ log: Logger) { self.log = log }

    /// Counts one.
    func count(_ kind: Kind, now: Int64) {
        counted.withLock { $0[kind, default: Counted()].count += 1 }
        write(kind, now: now)
    }

    /// Writes what was counted since the last line, where that is long enough ago.
    func write(_ kind: Kind, now: Int64) {
        let count = counted.withLock { counted -> Int in
            var one = counted[kind] ?? Counted()
            let isDue = one.writtenAt.map { now < $0 || now - $0 >= Self.pauseMilliseconds } ?? true
            guard isDue, one.count > 0 else { return 0 }
            let count = one.count
            one = Counted(count: 0, writtenAt: now)
            counted[kind] = one
            return count
        }
        guard count > 0 else { return }
        switch kind {
        case .wrongPassword:
            log.warning(
                "wrong passwords: Settings show for which account and from where", metadata: ["count": "\(count)"])
        case .wrongCode: log.warning("wrong codes for an account", metadata: ["count": "\(count)"])
        }
    }
}
