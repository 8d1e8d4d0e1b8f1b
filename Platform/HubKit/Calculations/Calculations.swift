import Dispatch
import Foundation
import GRDB
import Synchronization

/// Runs what calculates for long, such as the charts of a year of practice, on threads of its own.
///
/// Neither the few threads that answer everything else nor one of the database's few readers is held meanwhile: the work
/// reads what it needs first, and lets go of the reader before it calculates. Accounts take turns, and what does not fit
/// is refused at once.
public final class Calculations: Sendable {
    /// What may be under way and wait.
    public struct Limits: Sendable {
        /// How many run at once: one fewer than the machine has processors, so that one is left for everything else.
        public var threads = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        /// The most that waits of one account.
        public var ofAccount = 8
        /// The most that waits of all.
        public var total = 64

        public init() {}
    }

    private typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: FairQueue<Work>
        var running = 0
    }

    /// How long refused ones are asked to wait.
    private static let waitSeconds = 5

    private let limits: Limits
    private let threads = DispatchQueue(label: "tandem.calculations", attributes: .concurrent)
    private let state: Mutex<State>

    init(limits: Limits = Limits()) {
        self.limits = limits
        state = Mutex(State(waiting: FairQueue(perOwner: limits.ofAccount, total: limits.total)))
    }

    /// Runs `work` when it is the account's turn.
    ///
    /// - Parameter account: who asks.
    /// - Throws: a 429 problem where too much waits; what `work` throws.
    public func run<Value: Sendable>(for account: String, _ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            if !enqueue(of: account, { continuation.resume(with: Result { try work() }) }) {
                continuation.resume(
                    throwing: Problem(
                        .tooManyRequests, "Too many at once",
                        "Too many charts and files are being made. Wait \(Self.waitSeconds) seconds, then try again.",
                        retryAfter: Self.waitSeconds))
            }
        }
    }

    /// How many wait for a thread.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func enqueue(of account: String, _ work: @escaping Work) -> Bool {
        let (isWaiting, startsThread) = state.withLock { state in
            guard state.waiting.append(work, of: account) else { return (false, false) }
            guard state.running < limits.threads else { return (true, false) }
            state.running += 1
            return (true, true)
        }
        if startsThread { threads.async { self.runWaiting() } }
        return isWaiting
    }

    private func runWaiting() {
        while let work = state.withLock({ state -> Work? in
            let work = state.waiting.popFirst()
            if work == nil { state.running -= 1 }
            return work
        }) {
            work()
        }
    }
}

extension APIRequest {
    /// Answers with what is calculated from what is stored: reads it, lets go of the database, and calculates, on a thread
    /// of ``Calculations`` and when it is the caller's turn.
    ///
    /// - Throws: a 429 problem where too much waits; what `read` and `response` throw.
    public func calculated<Source, Form: ResponseForm>(
        from read: @escaping @Sendable (Database) throws -> Source,
        _ response: @escaping @Sendable (Source) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let hub = hub
        return try await hub.calculations.run(for: try member.person.id) {
            try response(try hub.database.pool.read(read))
        }
    }
}
