import PlantsEngine
import Synchronization

/// Counts the messages of the original app's users by the names they give, over all connections, as the original did.
final class LegacyFlood: Sendable {
    /// The most senders that are counted each by itself; names beyond share one count, until the window is over.
    static let mostSenders = 1_000
    /// The bytes of a name that are told apart.
    static let nameBytes = 64

    private struct Counts {
        var window = Int64.min
        var rules: [[UInt8]: SpamRule] = [:]
    }

    private let counts = Mutex(Counts())

    /// Counts a request, and judges its sender.
    ///
    /// - Parameters:
    ///   - request: nil for a message that is none.
    ///   - now: the hub's time, UTC milliseconds.
    func judge(_ request: LegacyRequest?, of sender: [UInt8], at now: Int64) -> SpamRule.Verdict {
        counts.withLock { counts in
            let window = SpamRule.window(at: now)
            if window != counts.window { counts = Counts(window: window) }
            var name = Array(sender.prefix(Self.nameBytes))
            if counts.rules[name] == nil, counts.rules.count >= Self.mostSenders { name = [] }
            return counts.rules[name, default: SpamRule()].judge(request, at: now)
        }
    }
}
