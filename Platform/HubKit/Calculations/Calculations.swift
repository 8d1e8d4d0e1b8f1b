import Foundation
import GRDB
import Synchronization

/// A queue for long calculations, such as the charts of a year of practice, on threads of its own.
///
/// So they block neither the few threads that answer everything else nor one of the database's few readers: the work
/// reads its data first and releases the reader before it calculates. Accounts take turns, and work beyond the limits
/// is refused at once.
public final class Calculations: Sendable {
    /// The limits for work that runs and waits.
    public struct Limits: Sendable {
        /// The number of calculations that run at once: one fewer than the machine has processors, so that one is left
        /// for everything else.
        public var threads = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        /// The number of calculations of one account that wait.
        public var ofAccount = 8
        /// The number of calculations of all accounts that wait.
        public var total = 64

        /// Creates the default limits.
        public init() {}
    }

    private typealias Work = @Sendable () -> Void

    private struct State {
        var waiting: FairQueue<Work>
        var running = 0
    }

    /// The time that refused callers are asked to wait, in seconds.
    private static let waitSeconds = 5

    private let limits: Limits
    private let state: Mutex<State>

    init(limits: Limits = Limits()) {
        self.limits = limits
        state = Mutex(State(waiting: FairQueue(perOwner: limits.ofAccount, total: limits.total)))
    }

    /// Whether anybody still waits for the calculation that runs on a thread.
    private final class Turn {
        let isWanted: @Sendable () -> Bool

        init(_ isWanted: @escaping @Sendable () -> Bool) { self.isWanted = isWanted }
    }

    /// The key of a thread's ``Turn`` in its own dictionary, since these threads run no task that could have a local value.
    private static let turnKey = "tandem.calculation"

    /// A check for the loops of a calculation: it ends when nobody waits for its result any more.
    ///
    /// - Throws: `CancellationError`.
    public static func checkIsWanted() throws(CancellationError) {
        guard let turn = Thread.current.threadDictionary[turnKey] as? Turn, !turn.isWanted() else { return }
        throw CancellationError()
    }

    /// Runs `work` when it is the account's turn, and not at all if nobody waits for it by then.
    ///
    /// - Parameters:
    ///   - account: the id of the caller's account.
    ///   - isWanted: whether anybody still waits for the result; `work` asks it by ``checkIsWanted()``.
    ///   - work: the calculation.
    /// - Throws: a 429 problem if too much is waiting; `CancellationError` if nobody waits; the errors of `work`.
    public func run<Value: Sendable>(
        for account: String, while isWanted: @escaping @Sendable () -> Bool = { true },
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isQueued = enqueue(of: account) {
                continuation.resume(
                    with: Result {
                        let thread = Thread.current.threadDictionary
                        thread[Self.turnKey] = Turn(isWanted)
                        defer { thread[Self.turnKey] = nil }
                        try Self.checkIsWanted()
                        return try work()
                    })
            }
            if !isQueued {
                continuation.resume(
                    throwing: Problem(
                        .tooManyRequests, "Too many at once",
                        "Too many charts and files are being made. Wait \(Self.waitSeconds) seconds, then try again.",
                        retryAfter: Self.waitSeconds))
            }
        }
    }

    /// The number of calculations that wait for a thread.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    private func enqueue(of account: String, _ work: @escaping Work) -> Bool {
        let (isWaiting, startsThread) = state.withLock { state in
            guard state.waiting.append(work, of: account) else { return (false, false) }
            guard state.running < limits.threads else { return (true, false) }
            state.running += 1
            return (true, true)
        }
        // Not one of Dispatch's: on Linux tasks run on those, and a calculation that never waits would hold one of so few.
        if startsThread { Thread.detachNewThread { self.runWaiting() } }
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
    /// A response that is calculated from stored data: reads the data, releases the database, and calculates, on a
    /// thread of ``Calculations`` when it is the caller's turn. For a client that has gone nothing is calculated, and what is
    /// under way ends at its next ``Calculations/checkIsWanted()``.
    ///
    /// - Parameters:
    ///   - read: reads the data.
    ///   - response: calculates the response.
    /// - Throws: a 429 problem if too much is waiting; the errors of `read` and `response`.
    public func calculated<Source, Form: ResponseForm>(
        from read: @escaping @Sendable (Database) throws -> Source,
        _ response: @escaping @Sendable (Source) throws -> APIResponse<Form>
    ) async throws -> APIResponse<Form> {
        let hub = hub
        let presence = await ClientPresence.of(context.channel)
        return try await hub.calculations.run(for: try member.person.id, while: { !presence.isGone }) {
            let source = try hub.database.pool.read(read)
            try Calculations.checkIsWanted()
            return try response(source)
        }
    }
}
