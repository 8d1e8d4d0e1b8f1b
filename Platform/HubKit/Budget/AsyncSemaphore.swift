/// A semaphore for work that takes much memory or time: at most so many run at once, and others wait in the order in
/// which they came.
///
/// It limits the work and not the callers who wait. The memory that they hold meanwhile needs a limit of its own, such
/// as ``ConnectionLimits/bodyMemoryBytes``.
public actor AsyncSemaphore {
    private let most: Int
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a semaphore.
    ///
    /// - Parameter most: the number of callers that work at once, at least 1.
    public init(most: Int) { self.most = most }

    /// Runs the work as soon as it may.
    public func withTurn<Result: Sendable>(_ work: @Sendable () async throws -> Result) async rethrows -> Result {
        if running < most {
            running += 1
        } else {
            // Whoever ends hands its turn on.
            await withCheckedContinuation { waiting.append($0) }
        }
        defer { if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() } }
        return try await work()
    }
}
