/// One button: free of bounces, and long presses distinguished from short ones.
public struct Button: Sendable {
    /// What was done with it.
    public enum Press: Equatable, Sendable {
        /// Let go before ``Button/longPress``.
        case short
        /// Held for ``Button/longPress``; reported while it is still held.
        case long
        /// Held for ``Button/veryLongPress``; reported after `long`.
        case veryLong
    }

    /// A press is long after so many milliseconds.
    public static var longPress: UInt32 { 800 }
    /// A press is very long after so many milliseconds.
    public static var veryLongPress: UInt32 { 3_000 }

    /// A change counts when the line has kept it for so long, milliseconds: 10 as in the original, 50 for its Wi-Fi button.
    public let debounce: UInt32
    private var isPressed = false
    private var pressedAt: UInt32 = 0
    /// How many of its long presses were reported of this one.
    private var reported: UInt8 = 0
    private var changedAt: UInt32?
    private var isFirst = true

    /// A button that is not pressed. One that is held at the start does nothing before it was let go.
    public init(debounce: UInt32 = 10) { self.debounce = debounce }

    /// Takes the line's level, once in each turn.
    public mutating func take(isDown: Bool, at now: UInt32) -> Press? {
        if isFirst {
            isFirst = false
            // Held already: this press is nobody's, from its beginning to its end.
            if isDown { (isPressed, reported) = (true, 2) }
        }
        if isDown == isPressed {
            changedAt = nil
        } else if let changed = changedAt {
            if now &- changed >= debounce {
                changedAt = nil
                isPressed = isDown
                if isDown {
                    pressedAt = now
                    reported = 0
                } else if reported == 0 {
                    return .short
                }
            }
        } else {
            changedAt = now
        }
        guard isPressed else { return nil }
        if reported == 0, now &- pressedAt >= Self.longPress {
            reported = 1
            return .long
        }
        if reported == 1, now &- pressedAt >= Self.veryLongPress {
            reported = 2
            return .veryLong
        }
        return nil
    }
}
