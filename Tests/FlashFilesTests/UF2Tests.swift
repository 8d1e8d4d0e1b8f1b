import FlashFiles
import Testing
import Wire

@Suite("UF2 files")
struct UF2Tests {
    private let page = FlashImage.Piece(address: 0x1000_0000, bytes: (0..<512).map { UInt8(truncatingIfNeeded: $0) })

    private func file() -> [UInt8] { UF2.file(of: page, family: UF2.rp2040) }

    private func error(_ file: [UInt8]) -> FlashImageError? {
        do throws(FlashImageError) {
            _ = try FlashImage(file: file)
            return nil
        } catch {
            return error
        }
    }

    @Test("A block is as the specification's table says, byte for byte")
    func block() {
        // github.com/microsoft/uf2, "File format", and the list of families: RP2040.
        let second = Array(file()[512...])
        #expect(Array(second[0..<8]) == [0x55, 0x46, 0x32, 0x0A, 0x57, 0x51, 0x5D, 0x9E])
        #expect(Array(second[8..<16]) == [0x00, 0x20, 0x00, 0x00, 0x00, 0x01, 0x00, 0x10])
        #expect(Array(second[16..<32]) == [0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0x56, 0xFF, 0x8B, 0xE4])
        #expect(Array(second[32..<288]) == Array(page.bytes[256...]))
        #expect(second[288..<508].allSatisfy { $0 == 0 })
        #expect(Array(second[508...]) == [0x30, 0x6F, 0xB1, 0x0A])
        #expect(second.count == 512)
    }

    @Test("What was written is read")
    func back() throws {
        let image = try FlashImage(file: file())
        #expect(try image.contiguous(in: Board.pico.flash, unit: 256) == page)
    }

    @Test("A file that ends within a block, or before its last one, is truncated")
    func truncated() {
        #expect(error(Array(file().dropLast())) == .truncated)
        #expect(error(Array(file().dropLast(512))) == .truncated)
    }

    @Test("A damaged mark is told by the number of its block", arguments: [4, 508])
    func mark(place: Int) {
        var damaged = file()
        damaged[512 + place] ^= 0xFF
        #expect(error(damaged) == .damagedBlock(1))
    }

    @Test("A block with more bytes than it has room for is damaged")
    func length() {
        var damaged = file()
        damaged.replaceSubrange(16..<20, with: [0xDD, 1, 0, 0])
        #expect(error(damaged) == .damagedBlock(0))
    }

    @Test("Blocks in another order, or of another count, are damaged")
    func order() {
        let whole = file()
        #expect(error(Array(whole[512...] + whole[..<512])) == .damagedBlock(0))
        var damaged = whole
        damaged[512 + 24] = 3
        #expect(error(damaged) == .damagedBlock(1))
    }

    @Test("A file for another family is told so, and one that names none")
    func family() {
        // 0xE48BFF59 is the RP2350, in the specification's list.
        #expect(error(UF2.file(of: page, family: 0xE48B_FF59)) == .otherFamily(0xE48B_FF59))
        var nameless = file()
        nameless[9] = 0
        #expect(error(nameless) == .otherFamily(nil))
    }

    @Test("Blocks that are not for the flash memory are passed over")
    func comment() throws {
        var comment = Array(file()[..<512])
        comment[8] = 1
        #expect(try FlashImage(file: comment + file()) == FlashImage(file: file()))
    }

    @Test("A block whose bytes run over the end of 32 bits is damaged")
    func around() {
        var damaged = file()
        damaged.replaceSubrange(12..<16, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(error(damaged) == .damagedBlock(0))
    }

    @Test("Two blocks at one address overlap")
    func overlap() {
        var damaged = file()
        damaged[512 + 13] = 0
        #expect(error(damaged) == .overlap(address: 0x1000_0000))
    }
}
