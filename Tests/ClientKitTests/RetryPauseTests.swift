import Testing

@testable import ClientKit

@Suite("How long a device waits before it connects again")
struct RetryPauseTests {
    @Test("Twice as long each time, up to a minute, and from the beginning again once it was connected")
    func pauses() {
        var retries = RetryPause()
        var seconds: [Int64] = []
        for _ in 0..<8 {
            seconds.append(retries.next.components.seconds)
            retries.failed()
        }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 60, 60])
        retries.connected()
        #expect(retries.next == .seconds(1))
    }
}
