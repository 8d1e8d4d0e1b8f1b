import CortexM
import DeviceHAL

/// The I2C bus: I2C0 at 100 kHz (4.3, Synopsys' DW_apb_i2c).
public struct SensorBus: I2CBus {
    private static var base: UInt { 0x4004_4000 }
    /// The longest that a byte may take, microseconds: a device may stretch the clock for as long.
    private static var patience: UInt32 { 10_000 }

    private enum Place {
        static var control: UInt { 0x00 }
        static var target: UInt { 0x04 }
        /// IC_DATA_CMD: bit 8 a read, 9 the last one, with a stop.
        static var data: UInt { 0x10 }
        static var highCount: UInt { 0x14 }
        static var lowCount: UInt { 0x18 }
        static var events: UInt { 0x34 }
        static var clearGivenUp: UInt { 0x54 }
        static var clearStopped: UInt { 0x60 }
        static var enable: UInt { 0x6C }
        static var hold: UInt { 0x7C }
        static var reason: UInt { 0x80 }
    }

    /// IC_RAW_INTR_STAT (4.3.17).
    private enum Event {
        static var received: UInt32 { 1 << 2 }
        static var sent: UInt32 { 1 << 4 }
        static var givenUp: UInt32 { 1 << 6 }
        static var stopped: UInt32 { 1 << 9 }
    }

    /// The bus.
    public init() { Self.reset() }

    private static func reset() {
        register(base + Place.enable).store(0)
        // IC_CON: bit 0 controller, 2:1 standard mode, 5 restart, 6 no device itself, 8 a byte counts as sent when it is on the wire.
        register(base + Place.control).store(1 << 8 | 1 << 6 | 1 << 5 | 1 << 1 | 1)
        // 480 cycles of 48 MHz a bit, of which the clock is low for 288; the data is held for 300 ns (UM10204, table 10).
        register(base + Place.highCount).store(192)
        register(base + Place.lowCount).store(288)
        register(base + Place.hold).store(15)
        Wiring.set(Wiring.busClock, .i2c, isPulledUp: true)
        Wiring.set(Wiring.busData, .i2c, isPulledUp: true)
    }

    /// Sends bytes to an address. Nothing is no transfer: the part begins one with its first byte.
    public mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        guard count > 0 else { return }
        try begin(address)
        for index in 0..<count {
            let end: UInt32 = index == count - 1 ? 1 << 9 : 0
            register(Self.base + Place.data).store(end | UInt32(bytes[index]))
            try wait(for: Event.sent)
        }
        try wait(for: Event.stopped)
    }

    /// Reads bytes from an address.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    {
        guard count > 0 else { return }
        try begin(address)
        for index in 0..<count {
            register(Self.base + Place.data).store(index == count - 1 ? 1 << 9 | 1 << 8 : 1 << 8)
            try wait(for: Event.received)
            bytes[index] = UInt8(truncatingIfNeeded: register(Self.base + Place.data).load())
        }
        try wait(for: Event.stopped)
    }

    private func begin(_ address: UInt8) throws(I2CError) {
        if !(Pins.isHigh(Wiring.busData) && Pins.isHigh(Wiring.busClock)) { try free() }
        // The target is taken over while the part is off (4.3.10.2.1).
        register(Self.base + Place.enable).store(0)
        register(Self.base + Place.target).store(UInt32(address & 0x7F))
        register(Self.base + Place.enable).store(1)
        _ = register(Self.base + Place.clearGivenUp).load()
        _ = register(Self.base + Place.clearStopped).load()
    }

    /// Waits for an event, unless the transfer is given up (IC_TX_ABRT_SOURCE): what was not sent then counts as sent, too.
    private func wait(for event: UInt32) throws(I2CError) {
        let start = Clock.count
        while true {
            let events = register(Self.base + Place.events).load()
            if events & Event.givenUp != 0 {
                let reason = register(Self.base + Place.reason).load()
                _ = register(Self.base + Place.clearGivenUp).load()
                // Bits 0 and 3: the address, or a byte, was not acknowledged; bit 12: another controller.
                if reason & (1 << 0 | 1 << 3) != 0 { throw .notAcknowledged }
                if reason & 1 << 12 != 0 { throw .arbitrationLost }
                throw .failed(code: Int32(truncatingIfNeeded: reason & 0x1_FFFF))
            }
            if events & event != 0 { return }
            guard Clock.count &- start < Self.patience else {
                Self.reset()
                throw .timedOut
            }
        }
    }

    /// Nine clocks for a device that holds the data, so that it comes to the end of its byte (UM10204, 3.1.16).
    private func free() throws(I2CError) {
        var clock = Clock()
        Wiring.set(Wiring.busClock, .sio, isPulledUp: true)
        Pins.drive(Wiring.busClock, high: false)
        for _ in 0..<9 {
            Pins.take(Wiring.busClock)
            clock.wait(microseconds: 5)
            Pins.release(Wiring.busClock)
            clock.wait(microseconds: 5)
        }
        let isFree = Pins.isHigh(Wiring.busData) && Pins.isHigh(Wiring.busClock)
        Self.reset()
        if !isFree { throw .busStuck }
    }
}
