/// A counter of milliseconds, and waiting.
public protocol Ticks {
    /// Milliseconds since some start; wraps around after 49 days, so subtract with `&-`.
    var milliseconds: UInt32 { get }

    /// Returns no sooner than `microseconds` from now.
    mutating func wait(microseconds: UInt32)
}
