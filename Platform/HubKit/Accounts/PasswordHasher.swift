import Dispatch
import Foundation
import Synchronization

/// Derives password hashes one at a time on a thread of its own: they are slow on purpose, and must not hold up the
/// few threads that everything else runs on, nor each other. Those who are known and strangers take turns, and so do the
/// accounts of each; what does not fit is refused at once.
public final class PasswordHasher: Sendable {
    /// Whose hash it is.
    public struct Turn: Sendable {
        /// An email in one form, or another thing that keeps one apart from the others.
        public var account: String
        /// Whether they come from where somebody of the household has signed in before.
        public var isKnown: Bool

        public init(account: String, isKnown: Bool) {
            self.account = account
            self.isKnown = isKnown
        }
    }

    private typealias Work = @Sendable () -> Void

    private struct State {
        var known, strangers: FairQueue<Work>
        var isKnownNext = true
        var isRunning = false

        mutating func next() -> Work? {
            defer { isKnownNext.toggle() }
            return isKnownNext
                ? known.popFirst() ?? strangers.popFirst() : strangers.popFirst() ?? known.popFirst()
        }
    }

    /// How long refused ones are asked to wait: about as long as a full queue takes on a small machine.
    private static let waitSeconds = 5

    private let thread = DispatchQueue(label: "tandem.password")
    private let state: Mutex<State>

    /// - Parameter limits: how many may wait.
    package init(_ limits: AccountLimits) {
        let queue = FairQueue<Work>(perOwner: limits.hashesOfAccount, total: limits.hashes)
        state = Mutex(State(known: queue, strangers: queue))
    }

    /// What is stored of a password.
    ///
    /// - Throws: a 429 problem when too much waits; what the hash function throws.
    public func make(_ password: String, cost: PasswordCost, for turn: Turn) async throws -> Data {
        try await run(for: turn) { try PasswordHash.make(password, cost: cost) }
    }

    /// Whether a password made what is stored.
    ///
    /// - Throws: a 429 problem when too much waits.
    public func matches(_ password: String, _ stored: Data, for turn: Turn) async throws -> Bool {
        try await run(for: turn) { PasswordHash.matches(password, stored) }
    }

    private func run<Value: Sendable>(for turn: Turn, _ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try enqueue(for: turn) { continuation.resume(with: Result { try work() }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Has something run when it is its turn.
    ///
    /// - Throws: a 429 problem when too much waits; then it does not run.
    package func enqueue(for turn: Turn, _ job: @escaping @Sendable () -> Void) throws(Problem) {
        let isWaiting = state.withLock { state in
            let isWaiting =
                turn.isKnown
                ? state.known.append(job, of: turn.account) : state.strangers.append(job, of: turn.account)
            if isWaiting, !state.isRunning {
                state.isRunning = true
                thread.async { self.work() }
            }
            return isWaiting
        }
        guard isWaiting else {
            throw Problem(
                .tooManyRequests, "Too many at once",
                "Too many passwords wait to be checked. Wait \(Self.waitSeconds) seconds, then try again.",
                field: "password", retryAfter: Self.waitSeconds)
        }
    }

    private func work() {
        while let job = state.withLock({ state -> Work? in
            let job = state.next()
            state.isRunning = job != nil
            return job
        }) {
            job()
        }
    }
}
