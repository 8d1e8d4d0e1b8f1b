/// A board that images are written to.
public enum Board: String, CaseIterable, Sendable {
    /// A Raspberry Pi Pico.
    case pico
    /// A board with ST's STM32F405.
    case stm32f405

    /// Where an image may lie. On the Pico the device's own store begins at 1 MB (Firmware/Boards/Pico/Flash.swift).
    public var flash: Range<UInt32> {
        switch self {
        case .pico: 0x1000_0000..<0x1010_0000
        case .stm32f405: 0x0800_0000..<0x0810_0000
        }
    }

    /// The board that an image is for, by where it lies; nil for none of these.
    public init?(of image: FlashImage) {
        guard let first = image.pieces.first, let board = Self.allCases.first(where: { $0.flash ~= first.address })
        else {
            return nil
        }
        self = board
    }

    /// The bytes of a file that the board takes.
    ///
    /// - Throws: ``FlashImageError/outside(address:)`` of an image for another board, and of one for the Pico that its ROM would not
    ///   start ``FlashImageError/bootChecksum``.
    public func file(of image: FlashImage) throws(FlashImageError) -> [UInt8] {
        let all = try image.contiguous(in: flash, unit: UInt32(UF2.payload))
        switch self {
        case .stm32f405: return DfuSe.file(of: image)
        case .pico:
            guard all.address == flash.lowerBound, Self.isStartable(all.bytes) else { throw .bootChecksum }
            return UF2.file(of: all, family: UF2.rp2040)
        }
    }

    /// Whether the boot ROM would take the first 256 bytes: the last four are a CRC-32 of the others, with the polynomial 0x04C11DB7 from
    /// ones, highest bit first (RP2040 data sheet, 2.8.1.3.1).
    private static func isStartable(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 256 else { return false }
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bytes[..<252] {
            checksum ^= UInt32(byte) << 24
            for _ in 0..<8 { checksum = checksum << 1 ^ (checksum & 0x8000_0000 == 0 ? 0 : 0x04C1_1DB7) }
        }
        return (0..<4).allSatisfy { bytes[252 + $0] == UInt8(truncatingIfNeeded: checksum >> (8 * UInt32($0))) }
    }
}
