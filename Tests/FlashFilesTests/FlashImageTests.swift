import FlashFiles
import TestInstruments
import Testing
import Wire

/// An ELF file as the linker writes one for the Pico, and ways to damage it (System V ABI, figures 4-3 and 5-1; AAELF32, 5.2).
struct ELFFile {
    var ident: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1] + [UInt8](repeating: 0, count: 9)
    var kind: UInt16 = 2
    var machine: UInt16 = 40
    var headerSize: UInt16 = 32
    /// Address and bytes of each segment; a count without bytes is memory that is cleared.
    var segments: [(address: UInt32, bytes: [UInt8])]
    var announced: UInt16?

    var bytes: [UInt8] {
        var file = ident
        for half in [kind, machine] { file.append(littleEndian: half) }
        for word: UInt32 in [1, 0, 52, 0, 0x0500_0200] { file.append(littleEndian: word) }
        for half in [52, headerSize, announced ?? UInt16(segments.count), 40, 0, 0] as [UInt16] {
            file.append(littleEndian: half)
        }
        var offset = UInt32(52 + segments.count * 32)
        for segment in segments {
            let count = UInt32(segment.bytes.count)
            // A loadable segment, whose place in memory is another than where it is stored.
            for word in [1, offset, 0x2000_0000, segment.address, count, max(count, 16), 5, 4] as [UInt32] {
                file.append(littleEndian: word)
            }
            offset += count
        }
        return file + segments.flatMap(\.bytes)
    }
}

/// The first page of an image for the Pico: zeros, and behind them their CRC-32/MPEG-2, by Python's zlib.crc32 of bytes whose bits are
/// turned round (RP2040 data sheet, 2.8.1.3.1).
let bootPage = [UInt8](repeating: 0, count: 252) + [0x9A, 0x39, 0x65, 0x70]

@Suite("Images of boards")
struct FlashImageTests {
    private func error(_ file: [UInt8], for board: Board = .pico) -> FlashImageError? {
        do throws(FlashImageError) {
            _ = try board.file(of: FlashImage(file: file))
            return nil
        } catch {
            return error
        }
    }

    @Test("An ELF file gives what is stored, where it is stored, and nothing of memory that is cleared")
    func segments() throws {
        let file = ELFFile(segments: [(0x1000_0100, [5, 6]), (0x1000_0000, [1, 2, 3]), (0x2000_0000, [])])
        let image = try FlashImage(file: file.bytes)
        #expect(
            image.pieces == [
                FlashImage.Piece(address: 0x1000_0000, bytes: [1, 2, 3]),
                FlashImage.Piece(address: 0x1000_0100, bytes: [5, 6]),
            ])
        #expect(Board(of: image) == .pico)
    }

    @Test("Between pieces an erased memory has ones, up to the end of the last page")
    func gaps() throws {
        let image = try FlashImage(file: ELFFile(segments: [(0x0800_0002, [1]), (0x0800_0101, [2])]).bytes)
        let all = try image.contiguous(in: Board.stm32f405.flash, unit: 256)
        #expect(all.address == 0x0800_0000)
        #expect(all.bytes.count == 512)
        #expect(all.bytes[2] == 1 && all.bytes[257] == 2)
        #expect(all.bytes.filter { $0 == 0xFF }.count == 510)
    }

    @Test("A file that is neither ELF nor UF2 is told so")
    func unknown() {
        #expect(error(Array("#!/bin/sh\n".utf8)) == .unknownFormat)
    }

    @Test("A program of 64 bits, such as this computer's, is told so")
    func wide() {
        var file = ELFFile(segments: [(0x1000_0000, [1])])
        file.ident[4] = 2
        #expect(error(file.bytes) == .otherWordSize)
    }

    @Test("A program with the highest byte first is told so")
    func bigEndian() {
        var file = ELFFile(segments: [(0x1000_0000, [1])])
        file.ident[5] = 2
        #expect(error(file.bytes) == .otherWordSize)
    }

    @Test("A program for another processor is told so: RISC-V is 243")
    func processor() {
        #expect(error(ELFFile(machine: 243, segments: [(0x1000_0000, [1])]).bytes) == .otherProcessor)
    }

    @Test("An object file is no program")
    func object() {
        #expect(error(ELFFile(kind: 1, segments: [(0x1000_0000, [1])]).bytes) == .notLinked)
    }

    @Test("A program without anything to store has nothing for a board")
    func empty() {
        #expect(error(ELFFile(segments: [(0x2000_0000, [])]).bytes) == .nothingToWrite)
        #expect(error(ELFFile(segments: []).bytes) == .nothingToWrite)
    }

    @Test("A file that ends at any byte before its own end is truncated", arguments: [1, 20, 51, 60, 84, 86])
    func truncated(count: Int) {
        let file = ELFFile(segments: [(0x1000_0000, [1, 2, 3, 4])]).bytes
        #expect(error(Array(file.prefix(count))) == (count < 4 ? .unknownFormat : .truncated))
    }

    @Test("More segments than the file has room for are a file that ends too early")
    func announced() {
        #expect(error(ELFFile(segments: [(0x1000_0000, [1])], announced: 65_535).bytes) == .truncated)
    }

    @Test("Segments that overlap by a byte are told, and those that touch are not")
    func overlap() throws {
        let overlapping = ELFFile(segments: [(0x1000_0000, [1, 2]), (0x1000_0001, [3])])
        #expect(error(overlapping.bytes) == .overlap(address: 0x1000_0001))
        let touching = ELFFile(segments: [(0x1000_0000, [1, 2]), (0x1000_0002, [3])])
        #expect(try FlashImage(file: touching.bytes).pieces.count == 2)
    }

    @Test("A segment outside of the flash memory is told, by where it lies")
    func outside() {
        #expect(error(ELFFile(segments: [(0x0800_0000, [1])]).bytes) == .outside(address: 0x0800_0000))
        let beyond = ELFFile(segments: [(0x1000_0000, [1]), (0x1010_0000, [1])])
        #expect(error(beyond.bytes) == .outside(address: 0x1010_0000))
        let below = ELFFile(segments: [(0x0FFF_FFFF, [1, 2])])
        #expect(error(below.bytes) == .outside(address: 0x0FFF_FFFF))
    }

    @Test("A segment that runs over the end of 32 bits is told")
    func around() {
        #expect(error(ELFFile(segments: [(0xFFFF_FFFF, [1, 2])]).bytes) == .outside(address: 0xFFFF_FFFF))
    }

    @Test("An image without the checksum of the boot stage is not written to a Pico")
    func checksum() {
        var page = bootPage
        #expect(error(ELFFile(segments: [(0x1000_0000, page)]).bytes) == nil)
        page[17] ^= 1
        #expect(error(ELFFile(segments: [(0x1000_0000, page)]).bytes) == .bootChecksum)
        #expect(error(ELFFile(segments: [(0x1000_0100, bootPage)]).bytes) == .bootChecksum)
    }

    @Test("A file with any bytes changed, or cut anywhere, is read or refused with a reason, and never traps")
    func damage() {
        var generator = SeededGenerator(seed: 54)
        let page = FlashImage.Piece(address: 0x1000_0000, bytes: bootPage + bootPage)
        let files = [
            ELFFile(segments: [(0x1000_0000, bootPage), (0x1000_0100, [1, 2, 3])]).bytes,
            UF2.file(of: page, family: UF2.rp2040),
        ]
        for _ in 0..<20_000 {
            var file = files[Int.random(in: 0..<files.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                // Most often where the headers are.
                let end = Bool.random(using: &generator) ? file.count : 116
                file[Int.random(in: 0..<end, using: &generator)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            }
            if Bool.random(using: &generator) { file.removeLast(Int.random(in: 0..<file.count, using: &generator)) }
            for board in Board.allCases { _ = error(file, for: board)?.message }
        }
    }
}
