import Synchronization

/// Slows down whoever guesses: a few wrong tries a minute for each key (email and address), then a wait.
final class SignInLimiter: Sendable {
    static let triesAMinute = 5
    private static let window: Int64 = 60_000
    /// Keys remembered at most: beyond it the oldest go, so that guessing names fills no memory.
    private static let capacity = 10_000

    private let failures = Mutex<[String: [Int64]]>([:])

    /// - Throws: a 429 problem while the key has to wait.
    func check(_ key: String, now: Int64) throws {
        let recent = failures.withLock { $0[key]?.filter { now - $0 < Self.window && $0 <= now } ?? [] }
        guard recent.count >= Self.triesAMinute, let oldest = recent.first else { return }
        let wait = Int((Self.window - (now - oldest)) / 1000) + 1
        throw Problem(
            .tooManyRequests, "Too many tries", "Wait \(wait) seconds, then try again.", field: "password",
            retryAfter: wait)
    }

    /// Notes a wrong try and returns how many are left.
    @discardableResult
    func failed(_ key: String, now: Int64) -> Int {
        failures.withLock { failures in
            if failures.count >= Self.capacity {
                failures = failures.filter { now - ($0.value.last ?? 0) < Self.window }
                if failures.count >= Self.capacity { failures.removeAll() }
            }
            let recent = (failures[key]?.filter { now - $0 < Self.window && $0 <= now } ?? []) + [now]
            failures[key] = recent
            return max(0, Self.triesAMinute - recent.count)
        }
    }

    func succeeded(_ key: String) { _ = failures.withLock { $0.removeValue(forKey: key) } }

    /// "Four more tries", for the sentence under the field.
    static func words(_ left: Int) -> String {
        switch left {
        case 0: "No more tries"
        case 1: "One more try"
        default: "\(["", "", "Two", "Three", "Four"][min(left, 4)]) more tries"
        }
    }
}
