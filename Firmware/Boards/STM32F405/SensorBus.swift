import CortexM
import DeviceHAL

/// The I2C bus: controller 1 at 100 kHz (RM0090, section 27).
public struct SensorBus: I2CBus {
    private static var base: UInt { 0x4000_5400 }
    /// How often a flag is looked at before it is given up: some ten milliseconds.
    private static var patience: Int { 20_000 }

    private enum Flag {
        // I2C_SR1 (27.6.6).
        static var started: UInt32 { 1 << 0 }
        static var addressed: UInt32 { 1 << 1 }
        static var finished: UInt32 { 1 << 2 }
        static var received: UInt32 { 1 << 6 }
        static var empty: UInt32 { 1 << 7 }
        static var arbitrationLost: UInt32 { 1 << 9 }
        static var notAcknowledged: UInt32 { 1 << 10 }
    }

    /// The bus.
    public init() { Self.reset() }

    private static func reset() {
        Wiring.set(Wiring.busClock, .alternate, function: 4, isOpenDrain: true)
        Wiring.set(Wiring.busData, .alternate, function: 4, isOpenDrain: true)
        // RCC_APB1ENR: bit 21 is I2C1.
        register(0x4002_3840).set(1 << 21)
        // I2C_CR1: bit 15 resets the part, which lets a line go that it held (27.6.1).
        register(base).store(1 << 15)
        register(base).store(0)
        // I2C_CR2: its clock, 16 MHz; I2C_CCR: 5 microseconds for each half of a bit; I2C_TRISE: a microsecond (27.6.8, 27.6.9).
        register(base + 0x04).store(16)
        register(base + 0x1C).store(80)
        register(base + 0x20).store(17)
        register(base).store(1)
    }

    /// Sends bytes to an address.
    public mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        try begin(address << 1)
        for index in 0..<count {
            try wait(for: Flag.empty)
            register(Self.base + 0x10).store(UInt32(bytes[index]))
        }
        if count > 0 { try wait(for: Flag.finished) }
        stop()
    }

    /// Reads bytes from an address.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    {
        // The last byte is not acknowledged: bit 10 of I2C_CR1 is taken away before it comes (27.3.3).
        register(Self.base).set(1 << 10)
        try begin(address << 1 | 1, isSingle: count == 1)
        for index in 0..<count {
            if index == count - 1, count > 1 {
                register(Self.base).clear(1 << 10)
                register(Self.base).set(1 << 9)
            }
            try wait(for: Flag.received)
            bytes[index] = UInt8(truncatingIfNeeded: register(Self.base + 0x10).load())
        }
    }

    private func begin(_ address: UInt8, isSingle: Bool = false) throws(I2CError) {
        // I2C_SR2: bit 1 is a bus that is busy, which somebody holds (27.6.7).
        var left = Self.patience
        while register(Self.base + 0x18).load() & 1 << 1 != 0 {
            left -= 1
            guard left > 0 else {
                Self.reset()
                throw .busStuck
            }
        }
        register(Self.base).set(1 << 8)
        try wait(for: Flag.started)
        register(Self.base + 0x10).store(UInt32(address))
        try wait(for: Flag.addressed)
        if isSingle { register(Self.base).clear(1 << 10) }
        // Reading I2C_SR2 lets the transfer go on.
        _ = register(Self.base + 0x18).load()
        if isSingle { stop() }
    }

    private func stop() { register(Self.base).set(1 << 9) }

    private func wait(for flag: UInt32) throws(I2CError) {
        for _ in 0..<Self.patience {
            let state = register(Self.base + 0x14).load()
            if state & Flag.notAcknowledged != 0 {
                register(Self.base + 0x14).clear(Flag.notAcknowledged)
                stop()
                throw .notAcknowledged
            }
            if state & Flag.arbitrationLost != 0 {
                register(Self.base + 0x14).clear(Flag.arbitrationLost)
                throw .arbitrationLost
            }
            if state & flag != 0 { return }
        }
        Self.reset()
        throw .timedOut
    }
}
