/// One button: free of bounces, and long presses told from short ones.
public struct Button: Sendable {
    /// What was done with it.
    public enum Press: Equatable, Sendable {
        /// Let go before ``Button/longPress``.
        case short
        /// Held for ``Button/longPress``; told while it is still held.
        case long
        /// Held for ``Button/veryLongPress``; told after `long`.
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
    private var told: UInt8 = 0
    private var changedAt: UInt32?

    /// A button that is not pressed. One that is held at the start tells nothing before it was let go.
    public init(debounce: UInt32 = 10) { self.debounce = debounce }

    /// Takes the line's level, once in each turn.
    public mutating func take(isDown: Bool, at now: UInt32) -> Press? {
        if isDown == isPressed {
            changedAt = nil
        } else if let changed = changedAt {
            if now &- changed >= debounce {
                changedAt = nil
                isPressed = isDown
                if isDown {
                    pressedAt = now
                    told = 0
                } else if told == 0 {
                    return .short
                }
            }
        } else {
            changedAt = now
        }
        guard isPressed else { return nil }
        if told == 0, now &- pressedAt >= Self.longPress {
            told = 1
            return .long
        }
        if told == 1, now &- pressedAt >= Self.veryLongPress {
            told = 2
            return .veryLong
        }
        return nil
    }
}
