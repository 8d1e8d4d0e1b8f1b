import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("How often something may be done")
struct RateLimiterTests {
    private let rate = Rate(burst: 3, intervalMilliseconds: 1_000)

    @Test("So many at once, then one more in each interval")
    func rates() throws {
        let limiter = RateLimiter(rate, capacity: 10)
        #expect(try limiter.take("a", now: 0) == 2)
        #expect(try limiter.take("a", now: 0) == 1)
        #expect(try limiter.take("a", now: 0) == 0)
        #expect(throws: RateLimiter.Wait(milliseconds: 1_000)) { try limiter.take("a", now: 0) }
        #expect(throws: RateLimiter.Wait(milliseconds: 1)) { try limiter.take("a", now: 999) }
        #expect(try limiter.take("b", now: 999) == 2)
        #expect(try limiter.take("a", now: 1_000) == 0)
        #expect(try limiter.take("a", now: 60_000) == 2)
    }

    @Test("What was given back may be taken again, and a key that is forgotten has all")
    func givenBack() throws {
        let limiter = RateLimiter(rate, capacity: 10)
        for _ in 0..<3 { try limiter.take("a", now: 0) }
        limiter.giveBack("a")
        #expect(try limiter.take("a", now: 0) == 0)
        limiter.forget("a")
        #expect(try limiter.take("a", now: 0) == 2)
        limiter.giveBack("nobody")
        limiter.forget("nobody")
        #expect(limiter.count == 1)
    }

    @Test("A clock that is set back by a year keeps nobody waiting longer than one interval")
    func clockSetBack() throws {
        let limiter = RateLimiter(rate, capacity: 10)
        let year: Int64 = 365 * 86_400_000
        for _ in 0..<3 { try limiter.take("a", now: year) }
        #expect(throws: RateLimiter.Wait(milliseconds: 1_000)) { try limiter.take("a", now: 0) }
        #expect(try limiter.take("a", now: 1_000) == 0)
    }

    @Test("A hundred thousand keys that try once do not have it forget one that is held up, nor grow")
    func manyKeys() throws {
        let limiter = RateLimiter(rate, capacity: 100)
        for _ in 0..<3 { try limiter.take("busy", now: 0) }
        for key in 0..<100_000 { try limiter.take("key \(key)", now: 0) }
        #expect(limiter.count == 100)
        #expect(throws: RateLimiter.Wait.self) { try limiter.take("busy", now: 0) }
    }

    @Test("A limiter for one key holds one")
    func oneKey() throws {
        let limiter = RateLimiter(rate, capacity: 1)
        for _ in 0..<3 { try limiter.take("", now: 0) }
        #expect(throws: RateLimiter.Wait.self) { try limiter.take("", now: 0) }
    }
}
