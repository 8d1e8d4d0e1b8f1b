import Dispatch
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("Passwords that wait to be hashed")
struct FairQueueTests {
    @Test("Whoever brings one waits for one of each other, however much of theirs waits")
    func turns() {
        var queue = FairQueue<String>(perOwner: 5, total: 20)
        let brought = ["a0", "a1", "a2", "a3", "a4", "b0", "c0", "b1"].map { queue.append($0, of: "\($0.prefix(1))") }
        #expect(!brought.contains(false))
        var order: [String] = []
        while let next = queue.popFirst() { order.append(next) }
        #expect(order == ["a0", "b0", "c0", "a1", "b1", "a2", "a3", "a4"])
        #expect(queue.count == 0)
    }

    @Test("There is no more of one, and of all, than fits; what has gone makes room")
    func full() {
        var queue = FairQueue<Int>(perOwner: 2, total: 3)
        let brought = [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "c")].map { queue.append($0, of: $1) }
        #expect(brought == [true, true, false, true, false])
        let first = queue.popFirst()
        #expect(first == 1)
        let again = queue.append(5, of: "c")
        #expect(again)
        #expect(queue.count == 3)
    }

    @Test("While strangers fill their part, who is known waits for two hashes at most, and the rest is refused at once")
    func strangersAndKnown() async throws {
        var limits = AccountLimits()
        limits.hashes = 4
        let hasher = PasswordHasher(limits)
        let (done, isDone) = AsyncStream.makeStream(of: String.self)
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        // Holds the thread until all others wait.
        try hasher.enqueue(for: .init(account: "first", isKnown: false)) {
            hasBegun.yield()
            gate.wait()
        }
        for await _ in begun { break }
        for name in ["a", "b", "c", "d"] {
            try hasher.enqueue(for: .init(account: name, isKnown: false)) { isDone.yield(name) }
        }
        let refused = #expect(throws: Problem.self) {
            try hasher.enqueue(for: .init(account: "e", isKnown: false)) { isDone.yield("e") }
        }
        #expect(refused?.code == .tooManyRequests)
        #expect(refused?.retryAfter != nil)
        try hasher.enqueue(for: .init(account: "ines", isKnown: true)) { isDone.yield("ines") }
        gate.signal()
        var order: [String] = []
        for await name in done {
            order.append(name)
            if order.count == 5 { break }
        }
        #expect(try #require(order.firstIndex(of: "ines")) <= 1)
        #expect(order.filter { $0 != "ines" } == ["a", "b", "c", "d"])
    }
}
