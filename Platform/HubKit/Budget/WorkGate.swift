/// Lets at most so many at once do work that takes much memory or time. The others wait, in the order in which they came.
///
/// It bounds the work, not those who wait: what each of them holds meanwhile needs a bound of its own, such as that of
/// request bodies, ``ConnectionLimits/bodyMemoryBytes``.
public actor WorkGate {
    private let most: Int
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter most: that work at once, at least 1.
    public init(most: Int) { self.most = most }

    /// Does the work when it is its turn.
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
