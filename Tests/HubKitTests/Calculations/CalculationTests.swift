import Dispatch
import Synchronization
import Testing

@testable import HubKit

@Suite("What calculates for long")
struct CalculationTests {
    /// Work that is under way until the test lets it go.
    private struct Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)

        func wait() { opened.wait() }
        func open() { opened.signal() }
    }

    private static func limits(threads: Int = 1, ofAccount: Int = 8, total: Int = 64) -> Calculations.Limits {
        var limits = Calculations.Limits()
        (limits.threads, limits.ofAccount, limits.total) = (threads, ofAccount, total)
        return limits
    }

    /// Occupies the only thread, and returns once it is.
    private static func occupied(_ calculations: Calculations, until gate: Gate) async -> Task<Void, any Error> {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await calculations.run(for: "first") {
                beginning.finish()
                gate.wait()
            }
        }
        for await _ in begun {}
        return task
    }

    @Test("It answers with what it came to, and with the error that it met")
    func results() async throws {
        let calculations = Calculations()
        #expect(try await calculations.run(for: "ines") { 6 * 7 } == 42)
        let failed = await #expect(throws: Problem.self) {
            try await calculations.run(for: "ines") { throw Problem.notFound("plant") }
        }
        #expect(failed?.status == .notFound)
    }

    @Test("Accounts take turns: who asks for much does not hold up who asks for little")
    func turns() async throws {
        let calculations = Calculations(limits: Self.limits())
        let gate = Gate()
        let first = await Self.occupied(calculations, until: gate)
        let (ran, running) = AsyncStream.makeStream(of: String.self)
        let tasks = ["ines", "ines", "ines", "theo"].map { account in
            Task { try await calculations.run(for: account) { _ = running.yield(account) } }
        }
        while calculations.waitingCount < 4 { await Task.yield() }
        gate.open()
        try await first.value
        for task in tasks { try await task.value }
        running.finish()
        #expect(await ran.reduce(into: []) { $0.append($1) }.prefix(2).contains("theo"))
    }

    @Test("What nobody waits for any more by its turn is not begun")
    func unwanted() async throws {
        let calculations = Calculations(limits: Self.limits())
        let gate = Gate()
        let first = await Self.occupied(calculations, until: gate)
        let isWanted = Atomic(true)
        let task = Task {
            try await calculations.run(for: "ines", while: { isWanted.load(ordering: .relaxed) }) {
                Issue.record("it was begun")
            }
        }
        while calculations.waitingCount < 1 { await Task.yield() }
        isWanted.store(false, ordering: .relaxed)
        gate.open()
        try await first.value
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A calculation that is under way ends when whoever waited for it has gone, and no other does")
    func gone() async throws {
        let calculations = Calculations(limits: Self.limits(threads: 2))
        let isWanted = Atomic(true)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await calculations.run(for: "ines", while: { isWanted.load(ordering: .relaxed) }) {
                beginning.finish()
                while true { try Calculations.checkIsWanted() }
            }
        }
        for await _ in begun {}
        isWanted.store(false, ordering: .relaxed)
        await #expect(throws: CancellationError.self) { try await task.value }
        try await calculations.run(for: "theo") { try Calculations.checkIsWanted() }
        try Calculations.checkIsWanted()
    }

    @Test("What does not fit is refused at once, in words, and the rest is done")
    func full() async throws {
        let calculations = Calculations(limits: Self.limits(ofAccount: 1, total: 2))
        let gate = Gate()
        let first = await Self.occupied(calculations, until: gate)
        let second = Task { try await calculations.run(for: "ines") {} }
        while calculations.waitingCount < 1 { await Task.yield() }
        let refused = await #expect(throws: Problem.self) { try await calculations.run(for: "ines") {} }
        #expect(refused?.status == .tooManyRequests)
        gate.open()
        try await first.value
        try await second.value
        #expect(try await calculations.run(for: "ines") { true })
    }
}
