import Dispatch
import Foundation
import Synchronization

/// A queue for hashing passwords, one at a time on a thread of its own. Hashing is slow on purpose and must not block
/// the threads that everything else runs on. Callers from known and unknown addresses take turns, and so do the
/// accounts of each; calls beyond the limits are refused at once.
public final class PasswordHasher: Sendable {
    /// The caller of a hash, by whom turns are taken.
    public struct Turn: Sendable {
        /// The account: a normalised e-mail address, or another text that distinguishes it.
        public var account: String
        /// Whether the caller's address is known, see ``AccountLimits``.
        public var isKnown: Bool

        /// Creates a caller.
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

    /// The time that refused callers are asked to wait, in seconds: about as long as a full queue takes on a small
    /// machine.
    private static let waitSeconds = 5

    private let thread = DispatchQueue(label: "tandem.password")
    private let state: Mutex<State>

    /// Creates a queue.
    ///
    /// - Parameter limits: the limits for callers who wait.
    package init(_ limits: AccountLimits) {
        let queue = FairQueue<Work>(perOwner: limits.hashesOfAccount, total: limits.hashes)
        state = Mutex(State(known: queue, strangers: queue))
    }

    /// Hashes a password for storing.
    ///
    /// - Throws: a 429 problem if too much is waiting; the errors of the hash function.
    public func make(_ password: String, cost: PasswordCost, for turn: Turn) async throws -> Data {
        try await run(for: turn) { try PasswordHash.make(password, cost: cost) }
    }

    /// Whether a stored hash was made of a password.
    ///
    /// - Throws: a 429 problem if too much is waiting.
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

    /// Runs a job when it is the caller's turn.
    ///
    /// - Throws: a 429 problem if too much is waiting; then the job does not run.
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
