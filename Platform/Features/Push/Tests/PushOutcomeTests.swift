import HubKit
import Testing

@testable import HubServer
@testable import Push

@Suite("What a push service's refusal means")
struct PushOutcomeTests {
    /// 2026-11-26T14:00:00Z.
    private static let now: Int64 = 1_795_701_600_000

    private static func outcome(_ status: Int, date: String?) -> Push.Outcome {
        Push.outcome(
            OutboundAnswer(status: status, retryAfter: nil, date: date, body: [], isWhole: true), host: "push.example",
            now: now)
    }

    // The token's `exp` is by the hub's clock (RFC 8292, 2); `Date` is by the push service's (RFC 9110, 6.6.1).
    @Test(
        "Where the hub's clock is wrong it is not the phone's fault: the message waits, and the clock is named",
        arguments: [
            ("Thu, 26 Nov 2026 13:00:00 GMT", "60 minutes"), ("Wed, 26 Nov 2025 14:00:00 GMT", "365 days"),
            ("Fri, 27 Nov 2026 02:00:00 GMT", "12 hours"),
        ], [401, 403])
    func clock(date: (String, String), status: Int) {
        guard case .later(nil, let words) = Self.outcome(status, date: date.0) else {
            return #expect(Bool(false), "the message waits")
        }
        #expect(words.contains("this hub’s clock is wrong") && words.contains(date.1), "\(words)")
    }

    @Test(
        "Where both clocks agree, and where nothing is known of the other's, the subscription is at fault",
        arguments: ["Thu, 26 Nov 2026 14:00:05 GMT", "Thu, 26 Nov 2026 13:52:00 GMT", nil, "yesterday"] as [String?])
    func subscription(date: String?) {
        guard case .refused(let words) = Self.outcome(403, date: date) else {
            return #expect(Bool(false), "the message is refused")
        }
        #expect(words.contains("Turn notifications off and on again"))
    }
}
