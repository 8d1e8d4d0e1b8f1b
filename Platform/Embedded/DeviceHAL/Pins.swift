/// A digital line.
public protocol Pin {
    /// Whether the line is high now.
    var isHigh: Bool { get }

    /// Drives the line high, or low.
    mutating func drive(high: Bool)
}

/// A serial line of bytes.
public protocol UART {
    /// Sends one byte, waiting while the line is busy.
    mutating func send(_ byte: UInt8)

    /// The next byte that has arrived, or nil.
    mutating func receive() -> UInt8?

    /// Whether ``send(_:)`` would return at once. A line without a queue is always willing to wait.
    var canSend: Bool { get }
}

extension UART {
    /// A line that does not say waits in ``send(_:)``.
    public var canSend: Bool { true }
}

/// A voltage that is measured.
public protocol AnalogInput {
    /// The voltage now, millivolts.
    mutating func millivolts() -> UInt16
}

/// A light of three colours, each driven by pulse-width modulation.
public protocol RGBLight {
    /// Sets the duty cycle of each colour, 0 (off) to 255.
    mutating func set(red: UInt8, green: UInt8, blue: UInt8)
}
