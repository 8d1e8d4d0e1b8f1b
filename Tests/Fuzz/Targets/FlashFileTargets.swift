import FlashFiles
import Wire

extension FuzzTarget {
    static var flashFiles: [FuzzTarget] {
        [
            FuzzTarget("flash-file", longestInput: 2_048, seeds: flashFileSeeds) {
                bytes throws(BrokenProperty) in try checkFlashFile(bytes)
            }
        ]
    }

    /// An ELF file with a segment of four bytes at the Pico's flash memory, and a UF2 file of one block.
    private static var flashFileSeeds: [[UInt8]] {
        var elf: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 9) + [2, 0, 40, 0]
        for word: UInt32 in [1, 0x1000_0101, 52, 0, 0] { elf.append(littleEndian: word) }
        for half: UInt16 in [52, 32, 1, 0, 0, 0] { elf.append(littleEndian: half) }
        for word: UInt32 in [1, 84, 0x1000_0000, 0x1000_0000, 4, 4, 5, 4] { elf.append(littleEndian: word) }
        let page = FlashImage.Piece(address: 0x1000_0000, bytes: [UInt8](repeating: 7, count: 256))
        return [elf + [1, 2, 3, 4], UF2.file(of: page, family: UF2.rp2040)]
    }

    /// Whatever a file has, its pieces lie one after the other and within 32 bits; what a board takes of it comes back from the file that it
    /// is written to.
    private static func checkFlashFile(_ bytes: [UInt8]) throws(BrokenProperty) {
        let image: FlashImage
        do throws(FlashImageError) {
            image = try FlashImage(file: bytes)
        } catch {
            try require(!error.message.isEmpty, "a file that is no image is told why")
            return
        }
        var end: UInt64 = 0
        for piece in image.pieces {
            try require(!piece.bytes.isEmpty && UInt64(piece.address) >= end, "pieces do not overlap")
            end = piece.end
        }
        try require(end <= 1 << 32, "an address has 32 bits")
        guard let board = Board(of: image), let all = try? image.contiguous(in: board.flash, unit: 256) else { return }
        let back: FlashImage = try succeeds("what was written is read") { () throws(FlashImageError) in
            try FlashImage(file: UF2.file(of: all, family: UF2.rp2040))
        }
        let again: FlashImage.Piece = try succeeds("what was read lies where it lay") { () throws(FlashImageError) in
            try back.contiguous(in: board.flash, unit: 256)
        }
        try require(again == all, "UF2 gives back what it was given")
    }
}
