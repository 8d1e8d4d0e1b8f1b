import BoardImages
import CortexM
import DeviceHAL
import Wire

/// The place where an image runs: memory behind the boot loader, with the image's header before its vector table. The board's memory
/// forgets it, and the boot loader fills it at each start.
public enum ImagePlace {
    /// The address of the vector table, as slot.ld has it; a table of this many entries lies at a multiple of 512 (VTOR).
    public static var table: UInt { 0x8200 }
    private static var header: UInt { table - UInt(ImageHeader.size) }

    /// A byte of the file there, from the header on.
    public static func byte(_ index: Int) -> UInt8 { MemoryByte(header + UInt(index)).load() }

    /// The header of what runs; nil where no boot loader has put one there.
    public static var running: ImageHeader? {
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        for index in 0..<64 { bytes[index] = byte(index) }
        return try? ImageHeader(decoding: bytes.span)
    }

    /// The header of what lies there, if all of it is whole.
    public static var whole: ImageHeader? {
        guard let header = running else { return nil }
        var crc: UInt32 = 0
        for index in 0..<header.length { crc = crc32(byte(ImageHeader.size + index), after: crc) }
        return crc == header.checksum ? header : nil
    }

    /// Puts bytes there.
    public static func put(_ bytes: Span<UInt8>, at offset: Int) {
        for index in 0..<bytes.count { MemoryByte(header + UInt(offset + index)).store(bytes[index]) }
    }
}
