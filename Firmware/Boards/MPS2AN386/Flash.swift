import CortexM
import DeviceHAL

/// The flash memory: a model of NOR flash in the board's own PSRAM, since QEMU has no flash memory on this board that code can write.
///
/// QEMU keeps that memory in a file (`-machine memory-backend`), so that it outlives the power. Programming clears bits, erasing a
/// page sets them, as the protocol says. Behind the pages stands what a test sets and reads: after how many writes the power is
/// cut, and how often each page was erased. A cut leaves the byte that was being written with some of its bits, or the page half
/// erased, and restarts the board.
public struct Flash: FlashMemory {
    /// The bytes of a page, as of most NOR flash on SPI.
    public let pageSize = 4_096
    /// The number of pages.
    public let pageCount: Int

    /// The address at which the PSRAM begins (AN386, table 3-1).
    private static var base: UInt { 0x2100_0000 }
    /// The words for tests, 8 MB behind it: the writes until the power is cut, 0 for never; the writes so far; whether the supply
    /// is too low to write; and from 64 on the erasures of each page.
    private static var bench: UInt { base + 0x80_0000 }

    /// A memory of so many pages.
    public init(pageCount: Int) { self.pageCount = pageCount }

    private func cell(_ address: Int) -> MemoryByte {
        MemoryByte(Self.base + UInt(address))
    }

    /// Reads bytes.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, at address: Int)
        throws(FlashError)
    {
        guard address >= 0, address + count <= pageCount * pageSize else { throw .outOfRange }
        for index in 0..<count { bytes[index] = cell(address + index).load() }
    }

    /// Writes bytes, which can only clear bits.
    public mutating func program(_ bytes: Span<UInt8>, at address: Int) throws(FlashError) {
        guard address >= 0, address + bytes.count <= pageCount * pageSize else { throw .outOfRange }
        if isBrownedOut { throw .brownOut }
        for index in 0..<bytes.count {
            let cell = cell(address + index)
            if isCut() {
                // Some of its bits, and not others.
                cell.store(cell.load() & (bytes[index] | 0x5A))
                Processor.restart(.powerCut)
            }
            cell.store(cell.load() & bytes[index])
        }
    }

    /// Sets all bits of a page.
    public mutating func erase(page: Int) throws(FlashError) {
        guard page >= 0, page < pageCount else { throw .outOfRange }
        if isBrownedOut { throw .brownOut }
        let start = page * pageSize
        if isCut() {
            for address in start..<start + pageSize { cell(address).store(cell(address).load() | 0xA5) }
            Processor.restart(.powerCut)
        }
        for address in start..<start + pageSize { cell(address).store(0xFF) }
        let erasures = register(Self.bench + 64 + UInt(page) * 4)
        erasures.store(erasures.load() &+ 1)
    }

    private var isBrownedOut: Bool { register(Self.bench + 8).load() == 1 }

    private func isCut() -> Bool {
        let writes = register(Self.bench + 4)
        writes.store(writes.load() &+ 1)
        let left = register(Self.bench)
        let count = left.load()
        guard count != 0 else { return false }
        left.store(count - 1)
        return count == 1
    }
}
