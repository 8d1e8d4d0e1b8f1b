import DrumsEngine

/// The distinction between a strike and the shock and the ringing that follow one.
///
/// A strike locks its own drum for 200 ms, and every other for 5 ms; a rise of a locked drum is not a strike, and locks
/// nothing.
struct StrikeFilter: Sendable {
    /// The time at which each drum was last struck, in ticks.
    private var struck = InlineArray<4, UInt32>(repeating: 0)
    /// A bit for each drum that is locked by its own strike. Stored as such, because ticks wrap around.
    private var locked: UInt8 = 0
    /// The drum whose shock goes through the kit.
    private var shaking: Drum?

    /// Unlocks drums that have been locked for long enough.
    mutating func pass(_ now: UInt32) {
        for drum in 0..<4 where now &- struck[drum] >= KitTiming.sameDrum { locked &= ~(1 << UInt8(drum)) }
        if let drum = shaking, now &- struck[Int(drum.rawValue)] >= KitTiming.otherDrum { shaking = nil }
    }

    /// Whether the kit has been left alone for 200 ms.
    var isQuiet: Bool { locked == 0 }

    /// Whether a strike counts. Asked after `pass` of the same turn.
    mutating func accepts(_ drum: Drum, _ now: UInt32) -> Bool {
        guard shaking == nil, locked & 1 << drum.rawValue == 0 else { return false }
        struck[Int(drum.rawValue)] = now
        locked |= 1 << drum.rawValue
        shaking = drum
        return true
    }
}
