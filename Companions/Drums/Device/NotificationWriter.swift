import DeviceHAL

/// The division of text into notifications: at most 19 characters and a NUL, which is what one Bluetooth packet of the
/// Nordic UART service carries with the smallest MTU (20 bytes).
struct NotificationWriter: Sendable {
    /// The characters of a notification, without the NUL.
    static var length: Int { 19 }

    private var count = 0

    mutating func put(_ character: UInt8, to line: inout some UART) {
        if count == Self.length { endOfNotification(to: &line) }
        line.send(character)
        count += 1
    }

    mutating func put(_ text: StaticString, to line: inout some UART) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index], to: &line) }
    }

    /// Writes a decimal number.
    ///
    /// - Parameter places: digits after the point, of a number that is stored in units of ten to the minus `places`.
    mutating func put(decimal value: UInt32, places: Int, to line: inout some UART) {
        var digits = InlineArray<10, UInt8>(repeating: 0)
        var rest = value
        var used = 0
        while rest != 0 || used <= places {
            digits[used] = UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            used += 1
        }
        while used > 0 {
            used -= 1
            put(UInt8(ascii: "0") + digits[used], to: &line)
            if used == places, places > 0 { put(UInt8(ascii: "."), to: &line) }
        }
    }

    /// Ends a notification that has been begun.
    mutating func endOfNotification(to line: inout some UART) {
        guard count > 0 else { return }
        line.send(0)
        count = 0
    }
}
