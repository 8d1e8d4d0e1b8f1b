import Testing

@testable import BoardImages

@Suite("The file of an image")
struct ImageHeaderTests {
    static let payload = [UInt8]("vector table and code".utf8)

    static func header(_ version: ImageVersion = ImageVersion(1, 2, 3), mayBeOlder: Bool = false) throws -> ImageHeader
    {
        ImageHeader(
            board: try #require(ImageName("mps2-an386")), kind: try #require(ImageName("plant-sensor")),
            version: version, mayBeOlder: mayBeOlder, length: payload.count, checksum: sum(payload[...]))
    }

    /// The CRC-32 of gzip, bit by bit (RFC 1952, section 8).
    static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
    }

    static func file(_ header: ImageHeader) -> [UInt8] {
        var bytes: [UInt8] = []
        header.encode(into: &bytes)
        return bytes + payload
    }

    /// The file with a byte of the header changed, and the header's checksum made anew.
    static func changed(_ place: Int, to byte: UInt8) throws -> [UInt8] {
        var bytes = file(try header())
        bytes[place] = byte
        let crc = sum(bytes[0..<60])
        for index in 0..<4 { bytes[60 + index] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(index))) }
        return bytes
    }

    static func fault(_ bytes: [UInt8]) -> ImageFault? {
        do throws(ImageFault) {
            _ = try ImageHeader(checking: bytes.span)
            return nil
        } catch { return error }
    }

    @Test("A header is written byte for byte as the reference says, and read back")
    func layout() throws {
        let bytes = Self.file(try Self.header(mayBeOlder: true))
        #expect(Array(bytes[0..<16]) == Array("TDMI".utf8) + [1, 1, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0])
        #expect(Array(bytes[16..<32]) == Array("mps2-an386".utf8) + [UInt8](repeating: 0, count: 6))
        #expect(Array(bytes[32..<48]) == Array("plant-sensor".utf8) + [UInt8](repeating: 0, count: 4))
        #expect(Array(bytes[48..<52]) == [UInt8(Self.payload.count), 0, 0, 0])
        #expect(try ImageHeader(checking: bytes.span) == Self.header(mayBeOlder: true))
    }

    @Test("A file that does not begin with TDMI is none")
    func magic() throws { #expect(Self.fault(try Self.changed(0, to: UInt8(ascii: "t"))) == .noMagic) }

    @Test("A file of another format is not taken")
    func format() throws { #expect(Self.fault(try Self.changed(4, to: 2)) == .unknownFormat) }

    @Test("A flag that format 1 does not have is not passed over")
    func flag() throws { #expect(Self.fault(try Self.changed(5, to: 2)) == .unknownFormat) }

    @Test("A header with a bit changed is not believed")
    func headerBit() throws {
        var bytes = Self.file(try Self.header())
        bytes[8] ^= 1
        #expect(Self.fault(bytes) == .headerChecksum)
    }

    @Test("A board whose name has a capital letter has none")
    func name() throws { #expect(Self.fault(try Self.changed(16, to: UInt8(ascii: "M"))) == .badName) }

    @Test("A name that goes on after its end is none")
    func nameAfterEnd() throws { #expect(Self.fault(try Self.changed(47, to: UInt8(ascii: "x"))) == .badName) }

    @Test("Version 0.0.0 is none")
    func noVersion() throws { #expect(Self.fault(Self.file(try Self.header(ImageVersion(0, 0, 0)))) == .badVersion) }

    @Test("An empty payload, and one that no slot holds, are refused by the length alone")
    func length() throws {
        #expect(Self.fault(try Self.changed(48, to: 0)) == .badLength)
        #expect(Self.fault(try Self.changed(51, to: 1)) == .badLength)
    }

    @Test("A file that is shorter than it says, and one that is longer, are told apart")
    func lies() throws {
        let bytes = Self.file(try Self.header())
        #expect(Self.fault(Array(bytes.dropLast())) == .cutOff)
        #expect(Self.fault(Array(bytes.prefix(63))) == .cutOff)
        #expect(Self.fault([]) == .cutOff)
        #expect(Self.fault(bytes + [0]) == .tooMuch)
    }

    @Test("A payload with a bit changed is refused")
    func payloadBit() throws {
        var bytes = Self.file(try Self.header())
        bytes[70] ^= 1
        #expect(Self.fault(bytes) == .payloadChecksum)
    }

    @Test(
        "An image is refused by a board that is another, is another device, or runs a newer one, unless it may be older"
    )
    func replaces() throws {
        let running = try Self.header(ImageVersion(1, 2, 3))
        func fault(_ new: ImageHeader) -> ImageFault? {
            do throws(ImageFault) {
                try new.check(mayReplace: running)
                return nil
            } catch { return error }
        }
        #expect(fault(try Self.header(ImageVersion(1, 2, 3))) == nil)
        #expect(fault(try Self.header(ImageVersion(2, 0, 0))) == nil)
        #expect(fault(try Self.header(ImageVersion(1, 2, 2))) == .older)
        #expect(fault(try Self.header(ImageVersion(1, 2, 2), mayBeOlder: true)) == nil)
        var other = running
        other.board = try #require(ImageName("stm32f405"))
        #expect(fault(other) == .otherBoard)
        other = running
        other.kind = try #require(ImageName("toy"))
        #expect(fault(other) == .otherKind)
    }

    @Test(
        "Texts that are no version are none",
        arguments: [
            "", "1", "1.2", "1.2.", "1.2.3.4", "1.02.3", "1.2.65536", "1.2.999999", "v1.2.3", "1.2.3 ", "1.-2.3",
            "0.0.0",
        ])
    func noVersions(_ text: String) { #expect(ImageVersion(Array(text.utf8).span) == nil) }

    @Test("Versions are compared by number, not by letter")
    func versions() throws {
        let (old, new) = (ImageVersion(Array("1.9.0".utf8).span), ImageVersion(Array("1.10.0".utf8).span))
        #expect(try #require(old) < #require(new))
    }

    @Test("No bytes make the reader trap, and what it reads is written as it was", arguments: 0..<64)
    func random(_ seed: Int) throws {
        var bytes = Self.file(try Self.header())
        for _ in 0..<(seed % 5) { bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255) }
        bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count)))
        guard let header = try? ImageHeader(decoding: bytes.span) else { return }
        var written: [UInt8] = []
        header.encode(into: &written)
        #expect(written == Array(bytes.prefix(64)))
    }
}
