import Wire

/// Files that a board takes as if it were a USB stick, in blocks of 512 bytes (USB Flashing Format, github.com/microsoft/uf2).
public enum UF2 {
    private enum Mark {
        static let first: UInt32 = 0x0A32_4655
        static let second: UInt32 = 0x9E5D_5157
        static let last: UInt32 = 0x0AB1_6F30
    }

    private enum Flag {
        static let isNotForFlash: UInt32 = 0x0000_0001
        static let isFileContainer: UInt32 = 0x0000_1000
        static let hasFamily: UInt32 = 0x0000_2000
    }

    /// How such a file begins.
    static let beginning: [UInt8] = [0x55, 0x46, 0x32, 0x0A]
    /// The family of the RP2040, in the specification's list of families.
    public static let rp2040: UInt32 = 0xE48B_FF56
    /// The bytes of a block that are written: a page of the flash memory, as the RP2040's boot ROM wants it (data sheet, 2.8.4.2).
    static let payload = 256

    /// A file of bytes that lie one after the other.
    ///
    /// - Parameter piece: bytes whose address and count are multiples of 256, see ``FlashImage/contiguous(in:unit:)``.
    public static func file(of piece: FlashImage.Piece, family: UInt32) -> [UInt8] {
        let count = (piece.bytes.count + payload - 1) / payload
        var file: [UInt8] = []
        file.reserveCapacity(count * 512)
        for number in 0..<count {
            let bytes = piece.bytes[number * payload..<min((number + 1) * payload, piece.bytes.count)]
            for word in [
                Mark.first, Mark.second, Flag.hasFamily, piece.address + UInt32(number * payload), UInt32(bytes.count),
                UInt32(number), UInt32(count), family,
            ] { file.append(littleEndian: word) }
            file.append(contentsOf: bytes)
            file.append(contentsOf: repeatElement(0, count: 476 - bytes.count))
            file.append(littleEndian: Mark.last)
        }
        return file
    }

    /// What a file has for the flash memory of the RP2040. Blocks that are not for it are passed over; blocks of another family make
    /// the whole file one of that.
    static func image(of file: [UInt8]) throws(FlashImageError) -> FlashImage {
        guard file.count % 512 == 0 else { throw .truncated }
        var pieces: [FlashImage.Piece] = []
        var (expected, announced) = (UInt32(0), UInt32(0))
        for number in 0..<file.count / 512 {
            var block = LittleEndianReader(file[number * 512..<(number + 1) * 512])
            let marks = (block.uint32(), block.uint32())
            let (flags, address, length) = (block.uint32(), block.uint32(), Int(block.uint32()))
            let (index, count, family) = (block.uint32(), block.uint32(), block.uint32())
            let data = block.take(476)
            guard marks == (Mark.first, Mark.second), block.uint32() == Mark.last, length <= 476 else {
                throw .damagedBlock(number)
            }
            if flags & (Flag.isNotForFlash | Flag.isFileContainer) != 0 { continue }
            guard flags & Flag.hasFamily != 0 else { throw .otherFamily(nil) }
            guard family == rp2040 else { throw .otherFamily(family) }
            guard index == expected, index < count, announced == 0 || count == announced,
                UInt64(address) + UInt64(length) <= 1 << 32
            else { throw .damagedBlock(number) }
            (expected, announced) = (expected + 1, count)
            pieces.append(FlashImage.Piece(address: address, bytes: Array(data.prefix(length))))
        }
        guard expected == announced else { throw .truncated }
        return try FlashImage(pieces)
    }
}
