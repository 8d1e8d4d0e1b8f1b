import HubKit
import HubServer
import Synchronization
import Testing

@Suite("Work that takes much memory")
struct AsyncSemaphoreTests {
    private struct Failure: Error {}

    private struct Counts: Sendable {
        var now = 0
        var most = 0
        var done = 0
    }

    private final class Work: Sendable { let counts = Mutex(Counts()) }

    @Test("So many work at once and no more, and everybody has a turn, also after one that failed", arguments: [1, 3])
    func bounded(most: Int) async throws {
        let semaphore = AsyncSemaphore(most: most)
        let work = Work()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try? await semaphore.withTurn {
                        work.counts.withLock {
                            $0.now += 1
                            $0.most = max($0.most, $0.now)
                        }
                        for _ in 0..<5 { await Task.yield() }
                        work.counts.withLock {
                            $0.now -= 1
                            $0.done += 1
                        }
                        if number % 3 == 0 { throw Failure() }
                    }
                }
            }
        }
        #expect(work.counts.withLock { $0.done } == 40)
        #expect(work.counts.withLock { $0.most } <= most)
    }
}
