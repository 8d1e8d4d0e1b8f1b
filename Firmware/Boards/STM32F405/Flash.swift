import CortexM
import DeviceHAL

/// The flash memory: a W25Q32 of Winbond on SPI, whose sectors of 4 KB are erased at once (data sheet W25Q32JV, revision G,
/// section 8). The chip's own flash has sectors of 128 KB, which are no pages for a log.
public struct Flash: FlashMemory {
    /// The bytes of a sector.
    public let pageSize = 4_096
    /// The number of pages.
    public let pageCount: Int

    private enum Command {
        static var program: UInt8 { 0x02 }
        static var read: UInt8 { 0x03 }
        static var state: UInt8 { 0x05 }
        static var enable: UInt8 { 0x06 }
        static var eraseSector: UInt8 { 0x20 }
        static var identity: UInt8 { 0x9F }
    }

    private static var base: UInt { 0x4001_3000 }
    /// Winbond's number in the answer to ``Command/identity``.
    private static var maker: UInt8 { 0xEF }
    /// How often the chip is asked whether it is busy: more than the 400 ms that a sector takes at most (section 9.6).
    private static var patience: Int { 200_000 }

    /// A memory of at most 1,024 pages.
    public init(pageCount: Int) {
        self.pageCount = min(pageCount, 1_024)
        Wiring.set(Wiring.memoryClock, .alternate, function: 5)
        Wiring.set(Wiring.memoryOut, .alternate, function: 5)
        Wiring.set(Wiring.memoryIn, .alternate, function: 5)
        Wiring.set(Wiring.memorySelect, .output)
        select(false)
        // RCC_APB2ENR: bit 12 is SPI1. SPI_CR1: controller, selected by software, on, 8 MHz (RM0090, 28.5.1).
        register(0x4002_3844).set(1 << 12)
        register(Self.base).store(1 << 9 | 1 << 8 | 1 << 6 | 1 << 2)
    }

    /// Reads bytes.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, at address: Int)
        throws(FlashError)
    {
        guard address >= 0, address + count <= pageCount * pageSize else { throw .outOfRange }
        try check()
        begin(Command.read, address)
        for index in 0..<count { bytes[index] = exchange(0) }
        select(false)
    }

    /// Writes bytes, which can only clear bits, at most up to the end of 256 at once (section 8.2.13).
    public mutating func program(_ bytes: Span<UInt8>, at address: Int) throws(FlashError) {
        guard address >= 0, address + bytes.count <= pageCount * pageSize else { throw .outOfRange }
        try check()
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 256 - (address + place) % 256)
            enable()
            begin(Command.program, address + place)
            while place < end {
                _ = exchange(bytes[place])
                place += 1
            }
            select(false)
            try finish()
        }
    }

    /// Sets all bits of a sector.
    public mutating func erase(page: Int) throws(FlashError) {
        guard page >= 0, page < pageCount else { throw .outOfRange }
        try check()
        enable()
        begin(Command.eraseSector, page * pageSize)
        select(false)
        try finish()
    }

    /// Makes sure that the chip is there: a line that nobody drives says zeros, which are no memory's content.
    private func check() throws(FlashError) {
        select(true)
        _ = exchange(Command.identity)
        let maker = exchange(0)
        select(false)
        guard maker == Self.maker else { throw .timedOut }
    }

    private func enable() {
        select(true)
        _ = exchange(Command.enable)
        select(false)
    }

    private func begin(_ command: UInt8, _ address: Int) {
        select(true)
        _ = exchange(command)
        for shift in [16, 8, 0] { _ = exchange(UInt8(truncatingIfNeeded: address >> shift)) }
    }

    private func finish() throws(FlashError) {
        for _ in 0..<Self.patience {
            select(true)
            _ = exchange(Command.state)
            let state = exchange(0)
            select(false)
            // Bit 0: busy (section 7.1.1).
            if state & 1 == 0 { return }
            Watchdog.feed()
        }
        throw .timedOut
    }

    private func select(_ isSelected: Bool) {
        let bit: UInt32 = 1 << Wiring.memorySelect.number
        register(Wiring.base(Wiring.memorySelect) + 0x18).store(isSelected ? bit << 16 : bit)
    }

    /// Sends a byte, and returns the one that comes meanwhile (SPI_SR: bit 1 room, bit 0 a byte).
    private func exchange(_ byte: UInt8) -> UInt8 {
        while register(Self.base + 0x08).load() & 1 << 1 == 0 {}
        register(Self.base + 0x0C).store(UInt32(byte))
        while register(Self.base + 0x08).load() & 1 == 0 {}
        return UInt8(truncatingIfNeeded: register(Self.base + 0x0C).load())
    }
}
