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
}
