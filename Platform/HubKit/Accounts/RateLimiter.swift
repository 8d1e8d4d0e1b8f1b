import Synchronization

/// A rate limiter for many keys (addresses, e-mail addresses), with bounded memory and constant time for each attempt.
///
/// For each key it stores one number, the time at which its allowance is whole again: the "theoretical arrival time" of
/// the generic cell rate algorithm (ITU-T I.371, annex A). A key whose time has passed is like one that was never seen.
public final class RateLimiter: Sendable {
    /// An error with the time to wait before the next attempt.
    public struct Wait: Error, Equatable {
        /// The time to wait, in milliseconds.
        public var milliseconds: Int64

        /// Creates the error.
        package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    }

    /// The number of keys that are compared when one has to be forgotten.
    private static let looked = 16

    /// The rate that each key may have.
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
        /// The index from which the next keys are compared.
        var hand = 0
    }

    /// Creates a rate limiter.
    ///
    /// - Parameters:
    ///   - rate: the rate that each key may have.
    ///   - capacity: the number of keys that are remembered.
    public init(_ rate: Rate, capacity: Int) {
        self.rate = Rate(burst: max(rate.burst, 1), intervalMilliseconds: max(rate.intervalMilliseconds, 1))
        self.capacity = max(capacity, 1)
        state = Mutex(State())
    }

    /// The number of keys that are remembered.
    package var count: Int { state.withLock { $0.slots.count } }

    /// Counts an attempt before it is made, so that many at once cannot exceed the limit.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - now: the current time, in UTC milliseconds.
    /// - Returns: the number of attempts that are left after this one.
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

    /// Returns an attempt that was counted and not made.
    public func giveBack(_ key: String) {
        state.withLock { state in
            if let place = state.places[key] { state.slots[place].wholeAt -= rate.intervalMilliseconds }
        }
    }

    /// Restores the whole allowance of a key.
    public func forget(_ key: String) {
        state.withLock { state in if let place = state.places[key] { state.slots[place].wholeAt = 0 } }
    }

    /// Adds a key. Beyond the capacity it replaces the one with the fewest attempts among a few, so that a key that is
    /// being limited stays so, however many others appear once.
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
