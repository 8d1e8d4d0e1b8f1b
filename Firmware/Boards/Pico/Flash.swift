import CortexM
import DeviceHAL

/// The flash memory: from 1 MB on in the chip that the image lies in too, a W25Q16JV of Winbond, whose sectors of 4 KB are erased at once.
///
/// While it is written nothing can be read from it, no code either. ``changeFlash(_:)`` therefore lies in memory, as do the interrupts'
/// functions: a byte that comes in the 400 ms that an erasure takes at most (data sheet W25Q16JV, 9.6) goes into its ring.
public struct Flash: FlashMemory {
    /// The bytes of a sector.
    public let pageSize = 4_096
    /// The number of pages.
    public let pageCount: Int
    /// The place of the first page in the chip.
    private static var start: Int { 0x10_0000 }
    private static var most: Int { 256 }
    /// The address at which the chip is read past the cache (2.6.3.2).
    private static var window: UInt { 0x1300_0000 }

    /// A memory of at most 256 pages.
    public init(pageCount: Int) { self.pageCount = min(pageCount, Self.most) }

    /// Reads bytes.
    public mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, at address: Int)
        throws(FlashError)
    {
        guard address >= 0, address + count <= pageCount * pageSize else { throw .outOfRange }
        let base = Self.window + UInt(Self.start + address)
        for index in 0..<count { bytes[index] = MemoryByte(base + UInt(index)).load() }
    }

    /// Writes bytes, which can only clear bits. The chip takes 256 at once: what is not written of them is ones, which leave all as it is.
    public mutating func program(_ bytes: Span<UInt8>, at address: Int) throws(FlashError) {
        guard address >= 0, address + bytes.count <= pageCount * pageSize else { throw .outOfRange }
        var place = 0
        while place < bytes.count {
            let first = (address + place) % 256
            let end = min(bytes.count, place + 256 - first)
            var part = InlineArray<256, UInt8>(repeating: 0xFF)
            var index = first
            while place < end {
                part[index] = bytes[place]
                index += 1
                place += 1
            }
            let target = UInt32(Self.start + (address + place - 1) / 256 * 256)
            part.span.withUnsafeBytes { raw in
                FlashChange(target: target, data: raw.baseAddress.map { UInt(bitPattern: $0) } ?? 0).make()
            }
        }
    }

    /// Sets all bits of a sector.
    public mutating func erase(page: Int) throws(FlashError) {
        guard page >= 0, page < pageCount else { throw .outOfRange }
        FlashChange(target: UInt32(Self.start + page * pageSize), data: 0).make()
    }
}

/// A change of the flash memory: 256 bytes that are written, or a sector that is erased.
struct FlashChange {
    private let connect, leave, flush, write: UInt
    /// Where, from the chip's beginning.
    let target: UInt32
    /// The address of the bytes in memory; 0 to erase.
    let data: UInt

    /// A change, with the functions of the boot ROM that it takes (2.8.3.1.3).
    init(target: UInt32, data: UInt) {
        self.target = target
        self.data = data
        connect = ROM.function("I", "F")
        leave = ROM.function("E", "X")
        flush = ROM.function("F", "C")
        write = data == 0 ? ROM.function("R", "E") : ROM.function("R", "P")
    }

    /// Makes it.
    func make() {
        Watchdog.feed()
        changeFlash(self)
    }

    /// Calls one of the ROM's functions.
    @inline(__always)
    fileprivate func run() {
        typealias Plain = @convention(c) () -> Void
        typealias Erase = @convention(c) (UInt32, UInt, UInt32, UInt32) -> Void
        typealias Program = @convention(c) (UInt32, UInt, UInt) -> Void
        unsafeBitCast(connect, to: Plain.self)()
        unsafeBitCast(leave, to: Plain.self)()
        if data == 0 {
            // Blocks of 64 KB, by the command D8h, would be erased at once, if there were as many bytes.
            unsafeBitCast(write, to: Erase.self)(target, 4_096, 1 << 16, 0xD8)
        } else {
            unsafeBitCast(write, to: Program.self)(target, data, 256)
        }
        unsafeBitCast(flush, to: Plain.self)()
        ExecuteInPlace.begin()
    }
}

/// Makes a change while the flash memory cannot be read. The linker script lays it into memory by this name.
@_silgen_name("change_flash") @inline(never)
func changeFlash(_ change: FlashChange) { change.run() }

/// The boot ROM's functions, by the table that its word at 0x14 leads to: a name of two letters and a place, 16 bits each (2.8.3).
enum ROM {
    @inline(never)
    static func function(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt {
        let name = second.value << 8 | first.value
        var place = UInt(register(0x14).load() & 0xFFFF)
        while true {
            let entry = UInt32(half(place))
            if entry == name { return UInt(half(place + 2)) }
            // The table ends with a zero. Each of these functions is in every version of the ROM.
            if entry == 0 { Processor.restart(.fault) }
            place += 4
        }
    }

    @inline(__always)
    private static func half(_ place: UInt) -> UInt16 {
        UInt16(MemoryByte(place).load()) | UInt16(MemoryByte(place + 1).load()) << 8
    }
}
