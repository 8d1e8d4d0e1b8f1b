import HubKit
import Synchronization

/// A player that runs a virtual kit as time passes.
final class VirtualKitPlayer: Sendable {
    /// An input that comes to the kit from outside.
    enum Input: Sendable {
        /// Bytes that a page wrote.
        case bytes([UInt8])
        case reset, lose, comeBack
        /// The passing of time: something is due by itself.
        case time
        /// The end of all input.
        case end
    }

    private let kit: Mutex<VirtualKit>
    private let start = ContinuousClock.now
    private let inputs = AsyncStream.makeStream(of: Input.self, bufferingPolicy: .bufferingNewest(1_024))

    init(_ kit: VirtualKit) { self.kit = Mutex(kit) }

    /// Whether its radio is lost now.
    var isLost: Bool { kit.withLock { $0.isLost } }

    func take(_ input: Input) { inputs.continuation.yield(input) }

    /// Ends the input: what the person was about to do is done and reported, and `play` returns.
    func end() { inputs.continuation.yield(.end) }

    /// Plays until it is ended or cancelled. It is called once.
    func play(_ tell: @escaping @Sendable (VirtualKit.Event) async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            var alarm: Int64?
            var isEnding = false
            take(.time)
            for await input in inputs.stream {
                let (events, next, isIdle) = kit.withLock { kit in
                    (Self.happen(input, in: &kit, at: milliseconds), kit.nextMoment, kit.isIdle)
                }
                for event in events { try await tell(event) }
                if case .end = input { isEnding = true }
                if isEnding, isIdle { break }
                guard let next, next != alarm else { continue }
                alarm = next
                group.addTask {
                    try? await Task.sleep(until: self.start + .milliseconds(next), tolerance: .zero)
                    self.take(.time)
                }
            }
            group.cancelAll()
        }
    }

    private static func happen(_ input: Input, in kit: inout VirtualKit, at now: Int64) -> [VirtualKit.Event] {
        let events = kit.advance(to: now)
        return switch input {
        case .bytes(let bytes): events + kit.take(bytes)
        case .reset: events + kit.reset()
        case .lose: events + kit.lose()
        case .comeBack: events + kit.comeBack()
        case .time, .end: events
        }
    }

    private var milliseconds: Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000 + passed.attoseconds / 1_000_000_000_000_000
    }
}
