import Logging
import Synchronization
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer

@Suite("A log that cannot be flooded")
struct LogLimiterTests {
    private let flood = LogLimiter.Cause(file: "A/B.swift", line: 1, level: .notice)
    private let other = LogLimiter.Cause(file: "A/B.swift", line: 2, level: .notice)

    private func limiter(lines: Int = 3, addresses: Int = 1_000) -> LogLimiter {
        var limits = LogLimiter.Limits()
        limits.lines = lines
        limits.addresses = addresses
        return LogLimiter(limits: limits)
    }

    @Test("The first lines of a cause in a minute are written, the others counted with their addresses")
    func counts() {
        var limiter = limiter()
        var written = 0
        for number in 0..<10 {
            if limiter.take(flood, address: "10.0.0.\(number % 4)", now: 5, message: { "no \(number)" }).isWritten {
                written += 1
            }
        }
        #expect(written == 3)
        #expect(limiter.take(other, address: nil, now: 5) { "" }.isWritten, "another cause is not held up")
        #expect(limiter.omissions(now: 64).isEmpty)
        let omissions = limiter.omissions(now: 65)
        #expect(omissions.map(\.words) == ["7 more lines like this one left out, from 4 addresses: no 9"])
        #expect(limiter.omissions(now: 65).isEmpty, "told once")
        #expect(limiter.count == 0, "and forgotten")
    }

    @Test("After its minute a cause is written again, and asks again to be told of")
    func nextMinute() {
        var limiter = limiter(lines: 1)
        #expect(limiter.take(flood, address: nil, now: 0) { "" }.isWritten)
        let first = limiter.take(flood, address: nil, now: 1) { "" }
        #expect(!first.isWritten && first.isFirstOmitted)
        #expect(!limiter.take(flood, address: nil, now: 2) { "" }.isFirstOmitted)
        #expect(limiter.omissions(now: 60).count == 1)
        #expect(limiter.take(flood, address: nil, now: 60) { "" }.isWritten)
        #expect(limiter.take(flood, address: nil, now: 61) { "" }.isFirstOmitted)
    }

    @Test("A cause that comes once a minute is never left out")
    func rare() {
        var limiter = limiter(lines: 1)
        for minute in 0..<100 {
            #expect(limiter.take(other, address: nil, now: Int64(minute) * 60) { "" }.isWritten)
        }
    }

    @Test("A line and an error from the same place are two causes, so that a flood hides no error")
    func levels() {
        var limiter = limiter(lines: 1)
        for _ in 0..<9 { _ = limiter.take(flood, address: nil, now: 0) { "" } }
        var error = flood
        error.level = .error
        #expect(limiter.take(error, address: nil, now: 0) { "" }.isWritten)
    }

    @Test("A hundred thousand addresses are not all remembered")
    func manyAddresses() {
        var limiter = limiter(lines: 0, addresses: 10)
        for number in 0..<100_000 { _ = limiter.take(flood, address: "\(number)", now: 0) { "x" } }
        let omission = limiter.omissions(now: 60).first
        #expect(omission?.words == "100000 more lines like this one left out, from more than 10 addresses: x")
    }

    @Test("The handler hands lines on as they are, with their metadata, and tells later what it left out")
    func handler() {
        let log = RecordedLog()
        let clock = Mutex<Int64>(0)
        let due = Mutex<[@Sendable () -> Void]>([])
        var limits = LogLimiter.Limits()
        limits.lines = 2
        let limiter = SharedLogLimiter(limits: limits, now: { clock.withLock { $0 } }) { _, work in
            due.withLock { $0.append(work) }
        }
        let recorded = log.logger
        var logger = Logger(label: "test") { _ in LimitedLogHandler(recorded.handler, limiter: limiter) }
        logger.logLevel = .info
        logger.debug("not asked for")
        for number in 0..<5 {
            logger.notice("refused", metadata: ["address": "10.0.0.\(number)"])
        }
        #expect(log.text == "refused address=10.0.0.0\nrefused address=10.0.0.1")
        clock.withLock { $0 = 61 }
        let works = due.withLock { $0 }
        #expect(works.count == 1)
        for work in works { work() }
        #expect(log.text.hasSuffix("3 more lines like this one left out, from 3 addresses: refused"))
    }
}
