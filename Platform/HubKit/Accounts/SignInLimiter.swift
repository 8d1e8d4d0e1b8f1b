import Synchronization

/// Slows down whoever guesses: a few tries a minute for each key (email and address), then a wait.
final class SignInLimiter: Sendable {
    static let triesAMinute = 5
    static let triesOfAnAddress = 30
    private static let window: Int64 = 60_000
    /// Keys remembered at most: beyond it the oldest go, so that guessing names fills no memory.
    private static let capacity = 10_000

    private let tries = Mutex<[String: [Int64]]>([:])

    /// Counts a try before it is made, so that many at once are no more than the limit.
    ///
    /// - Returns: how many are left after this one.
    /// - Throws: a 429 problem while the key has to wait.
    func take(_ key: String, now: Int64, limit: Int = triesAMinute) throws -> Int {
        try tries.withLock { tries in
            let recent = tries[key]?.filter { now - $0 < Self.window && $0 <= now } ?? []
            if recent.count >= limit, let oldest = recent.first {
                let wait = Int((Self.window - (now - oldest)) / 1000) + 1
                throw Problem(
                    .tooManyRequests, "Too many tries", "Wait \(wait) seconds, then try again.", field: "password",
                    retryAfter: wait)
            }
            if tries.count >= Self.capacity {
                tries = tries.filter { now - ($0.value.last ?? 0) < Self.window }
                if tries.count >= Self.capacity { tries.removeAll() }
            }
            tries[key] = recent + [now]
            return limit - recent.count - 1
        }
    }

    /// The try was no guess.
    func succeeded(_ key: String) { _ = tries.withLock { $0.removeValue(forKey: key) } }

    /// "Four more tries", for the sentence under the field.
    static func words(_ left: Int) -> String {
        switch left {
        case ...0: "No more tries"
        case 1: "One more try"
        default: "\(["", "", "Two", "Three", "Four"][min(left, 4)]) more tries"
        }
    }
}
