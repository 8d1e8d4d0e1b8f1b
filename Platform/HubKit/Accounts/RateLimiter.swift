import Synchronization

/// Holds many keys (addresses, emails) to one rate, in a bounded memory and with the same small work for each try.
///
/// A key is one number: the moment at which its allowance is whole again, the "theoretical arrival time" of the generic
/// cell rate algorithm (ITU-T I.371, annex A). A key whose moment has passed is like one that never was.
public final class RateLimiter: Sendable {
    /// How long to wait for the next try.
    public struct Wait: Error, Equatable {
        public var milliseconds: Int64

        package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    }

    /// Keys looked at when one has to go.
    private static let looked = 16

    package let rate: Rate
    private let capacity: Int
    private let state: Mutex<State>

    private struct Slot {
        var key: String
        var wholeAt: Int64
    }

    private struct State {
        var slots: [Slot] = []
        var places: [String: Int] = [:]
        /// Where the next look for a key to forget begins.
        var hand = 0
    }

    /// - Parameters:
    ///   - rate: what each key may.
    ///   - capacity: how many keys are remembered.
    public init(_ rate: Rate, capacity: Int) {
        self.rate = Rate(burst: max(rate.burst, 1), intervalMilliseconds: max(rate.intervalMilliseconds, 1))
        self.capacity = max(capacity, 1)
        state = Mutex(State())
    }

    /// How many keys are remembered.
    package var count: Int { state.withLock { $0.slots.count } }

    /// Counts a try before it is made, so that many at once are no more than the limit.
    ///
    /// - Parameter now: UTC milliseconds.
    /// - Returns: how many are left after this one.
    @discardableResult
    public func take(_ key: String, now: Int64) throws(Wait) -> Int {
        let result: Result<Int, Wait> = state.withLock { state in
            let longest = Int64(rate.burst) * rate.intervalMilliseconds
            let place = state.places[key]
            // Further ahead than a whole allowance only where the clock was set back: then it counts from the new time.
            let wholeAt = min(max(place.map { state.slots[$0].wholeAt } ?? now, now), now + longest)
            if let place { state.slots[place].wholeAt = wholeAt }
            let next = wholeAt + rate.intervalMilliseconds
            guard next - now <= longest else { return .failure(Wait(milliseconds: next - now - longest)) }
            if let place {
                state.slots[place].wholeAt = next
            } else {
                add(Slot(key: key, wholeAt: next), to: &state)
            }
            return .success(Int((longest - (next - now)) / rate.intervalMilliseconds))
        }
        return try result.get()
    }

    /// A try that was counted was not made, or was none.
    public func giveBack(_ key: String) {
        state.withLock { state in
            if let place = state.places[key] { state.slots[place].wholeAt -= rate.intervalMilliseconds }
        }
    }

    /// The key has its whole allowance again.
    public func forget(_ key: String) {
        state.withLock { state in if let place = state.places[key] { state.slots[place].wholeAt = 0 } }
    }

    /// Beyond the capacity the new key takes the place of the one that has tried least, of a few: who is being held up
    /// stays so, however many others come by once.
    private func add(_ slot: Slot, to state: inout State) {
        guard state.slots.count >= capacity else {
            state.places[slot.key] = state.slots.count
            state.slots.append(slot)
            return
        }
        let looked = (0..<min(Self.looked, capacity)).map { (state.hand + $0) % capacity }
        state.hand = (state.hand + looked.count) % capacity
        guard let least = looked.min(by: { state.slots[$0].wholeAt < state.slots[$1].wholeAt }) else { return }
        state.places[state.slots[least].key] = nil
        state.slots[least] = slot
        state.places[slot.key] = least
    }
}
