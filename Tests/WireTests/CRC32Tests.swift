import Testing
import Wire

@Suite("The checksum")
struct CRC32Tests {
    // The check value of CRC-32/ISO-HDLC, which is that of RFC 1952, section 8; of nothing; of four noughts.
    @Test(
        "It is that of gzip",
        arguments: [(Array("123456789".utf8), 0xCBF4_3926), ([], 0), ([0, 0, 0, 0], 0x2144_DF1C)] as [([UInt8], UInt32)]
    )
    func known(bytes: [UInt8], checksum: UInt32) { #expect(crc32(bytes[...]) == checksum) }

    @Test("It is that of the slice alone")
    func slice() { #expect(crc32([1, 0x31, 0x32][1...]) == crc32([0x31, 0x32])) }
}
