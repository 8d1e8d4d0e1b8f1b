import Localization

extension Problem {
    /// A problem with status 429 for a caller who has to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - wait: the limiter's answer.
    ///   - field: the input that was tried; nil if it is none of a form.
    public static func tooManyTries(_ wait: RateLimiter.Wait, field: String? = nil) -> Problem {
        Problem(
            .tooManyRequests, "Too many tries", "Wait \(wait.words), then try again.", field: field,
            retryAfter: wait.seconds)
    }
}

extension RateLimiter.Wait {
    /// The seconds to wait, rounded up.
    public var seconds: Int { max(Int((milliseconds + 999) / 1000), 1) }

    /// The time to wait in words, such as "12 seconds".
    public var words: LocalizedText {
        switch seconds {
        case ..<120: LocalizedText("\(seconds) seconds")
        default: LocalizedText("\((seconds + 59) / 60) minutes")
        }
    }
}
