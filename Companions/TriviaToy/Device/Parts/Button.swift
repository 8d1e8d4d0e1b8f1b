/// A button, debounced, with long presses distinguished from short ones.
public struct Button: Sendable {
    /// A press of the button.
    public enum Press: Equatable, Sendable {
        /// The button was released before ``Button/longPress``.
        case short
        /// The button was held for ``Button/longPress``; reported while it is still held.
        case long
        /// The button was held for ``Button/veryLongPress``; reported after `long`.
        case veryLong
    }

    /// The length of a long press, milliseconds.
    public static var longPress: UInt32 { 800 }
    /// The length of a very long press, milliseconds.
    public static var veryLongPress: UInt32 { 3_000 }

    /// The time for which the line must keep a change, milliseconds: 10 as in the original, 50 for its Wi-Fi button.
    public let debounce: UInt32
    private var isPressed = false
    private var pressedAt: UInt32 = 0
    /// The number of long presses of this press that were reported.
    private var reported: UInt8 = 0
    private var changedAt: UInt32?
    private var isFirst = true

    /// A button that is not pressed. One that is held at the start does nothing before it was released.
    public init(debounce: UInt32 = 10) { self.debounce = debounce }

    /// Reads the line's level, once in each turn.
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
