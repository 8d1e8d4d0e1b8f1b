/// An I2C bus seen from its controller: every transfer names a 7-bit address, and every failure is typed.
public protocol I2CBus {
    /// Sends `bytes` in one transfer: start, address with the write bit, the bytes, stop.
    mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError)

    /// Fills `bytes` in one transfer: start, address with the read bit, the bytes, stop.
    mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
}

/// The reason why a transfer on an I2C bus failed (NXP UM10204).
public enum I2CError: Error, Equatable, Sendable {
    /// The device did not acknowledge: it is missing or busy (UM10204, 3.1.6).
    case notAcknowledged
    /// A line is held low, so that no transfer can begin (UM10204, 3.1.16).
    case busStuck
    /// The device stretched the clock for longer than the bus allows.
    case timedOut
    /// Another controller won the bus (UM10204, 3.1.8).
    case arbitrationLost
    /// The bus itself reported a failure; the code is its own, `errno` on Linux.
    case failed(code: Int32)
}
