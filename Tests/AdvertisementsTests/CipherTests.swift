import Advertisements
import TestInstruments
import Testing

@Suite("CCM, and the watch over counters")
struct CipherTests {
    /// A packet vector of RFC 3610, section 8: key, nonce, the number of bytes in the clear before the rest, the packet,
    /// the result.
    struct PacketVector: Sendable {
        var key: String
        var nonce: String
        var header: Int
        var tagLength: Int
        var packet: String
        var sealed: String
    }

    private static let key = "C0C1C2C3 C4C5C6C7 C8C9CACB CCCDCECF"

    static let vectors = [
        // Packet Vector #1.
        PacketVector(
            key: key, nonce: "00000003020100A0A1A2A3A4A5", header: 8, tagLength: 8,
            packet: "0001020304050607 08090A0B0C0D0E0F101112131415161718191A1B1C1D1E",
            sealed: "0001020304050607 588C979A61C663D2F066D0C2C0F989806D5F6B61DAC384 17E8D12CFDF926E0"),
        // Packet Vector #2.
        PacketVector(
            key: key, nonce: "00000004030201A0A1A2A3A4A5", header: 8, tagLength: 8,
            packet: "0001020304050607 08090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
            sealed: "0001020304050607 72C91A36E135F8CF291CA894085C87E3CC15C439C9E43A3B A091D56E10400916"),
        // Packet Vector #4.
        PacketVector(
            key: key, nonce: "00000006050403A0A1A2A3A4A5", header: 12, tagLength: 8,
            packet: "000102030405060708090A0B 0C0D0E0F101112131415161718191A1B1C1D1E",
            sealed: "000102030405060708090A0B A28C6865939A9A79FAAA5C4C2A9D4A91CDAC8C 96C861B9C9E61EF1"),
        // Packet Vector #7.
        PacketVector(
            key: key, nonce: "00000009080706A0A1A2A3A4A5", header: 8, tagLength: 10,
            packet: "0001020304050607 08090A0B0C0D0E0F101112131415161718191A1B1C1D1E",
            sealed: "0001020304050607 0135D1B2C95F41D5D1D4FEC185D166B8094E999DFED96C 048C56602C97ACBB7490"),
    ]

    @Test("The AES of these tests is that of FIPS 197, appendix C.1")
    func aes() throws {
        let cipher = try #require(TestAES(key: hex("000102030405060708090a0b0c0d0e0f")))
        var block = try #require(CipherBlock(hex("00112233445566778899aabbccddeeff")))
        cipher.encrypt(&block)
        #expect(block.bytes == hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
    }

    @Test("The packet vectors of RFC 3610 are opened and sealed", arguments: vectors)
    func vector(_ vector: PacketVector) throws {
        let cipher = try #require(TestAES(key: hex(vector.key)))
        let (packet, whole) = (hex(vector.packet), hex(vector.sealed))
        let header = Array(packet.prefix(vector.header))
        let tag = Array(whole.suffix(vector.tagLength))
        let body = Array(whole.dropFirst(vector.header).dropLast(vector.tagLength))
        let opened = try AESCCM.opened(
            body, tag: tag, nonce: hex(vector.nonce), associatedData: header, with: cipher)
        #expect(opened == Array(packet.dropFirst(vector.header)))
        let sealed = try AESCCM.sealed(
            opened, tagLength: vector.tagLength, nonce: hex(vector.nonce), associatedData: header, with: cipher)
        #expect(sealed.bytes == body)
        #expect(sealed.tag == tag)
    }

    @Test("A bit that is changed anywhere is found")
    func changed() throws {
        let cipher = try #require(TestAES(key: hex(Self.key)))
        let nonce = hex("00000003020100A0A1A2A3A4A5")
        let sealed = try AESCCM.sealed([1, 2, 3], tagLength: 4, nonce: nonce, associatedData: [0x11], with: cipher)
        for bit in 0..<(3 + 4 + 13 + 1) * 8 {
            var parts = [sealed.bytes, sealed.tag, nonce, [0x11]]
            var place = bit / 8
            var part = 0
            while place >= parts[part].count {
                place -= parts[part].count
                part += 1
            }
            parts[part][place] ^= 1 << UInt8(bit % 8)
            #expect(throws: CCMError.authentication) {
                try AESCCM.opened(
                    parts[0], tag: parts[1], nonce: parts[2], associatedData: parts[3], with: cipher)
            }
        }
    }

    @Test("Lengths that the mode does not have are refused", arguments: [0, 2, 3, 5, 17, 18])
    func tagLengths(length: Int) throws {
        let cipher = try #require(TestAES(key: hex(Self.key)))
        #expect(throws: CCMError.parameters) {
            try AESCCM.opened([1], tag: Array(repeating: 0, count: length), nonce: Array(0..<13), with: cipher)
        }
    }

    @Test("Nonces that the mode does not have are refused", arguments: [0, 6, 14, 16])
    func nonces(length: Int) throws {
        let cipher = try #require(TestAES(key: hex(Self.key)))
        #expect(throws: CCMError.parameters) {
            try AESCCM.opened([1], tag: [0, 0, 0, 0], nonce: Array(repeating: 0, count: length), with: cipher)
        }
        #expect(throws: CCMError.parameters) {
            try AESCCM.sealed([1], tagLength: 4, nonce: Array(repeating: 0, count: length), with: cipher)
        }
    }

    @Test("What is sealed is opened again, of every length", arguments: [7, 13])
    func roundTrip(nonceLength: Int) throws {
        let cipher = try #require(TestAES(key: hex(Self.key)))
        let nonce = [UInt8](repeating: 9, count: nonceLength)
        for count in 0...50 {
            let message = (0..<count).map { UInt8($0) }
            let sealed = try AESCCM.sealed(message, tagLength: 4, nonce: nonce, associatedData: message, with: cipher)
            #expect(
                try AESCCM.opened(sealed.bytes, tag: sealed.tag, nonce: nonce, associatedData: message, with: cipher)
                    == message)
        }
    }

    @Test("A counter that goes back is an attack, and one below 100 a new battery")
    func counters() {
        var watch = ReplayGuard()
        let judged = [5_000, 5_001, 5_001, 5_000, 4_000, 100, 99, 99, 98, 5_000].map { watch.judge($0) }
        #expect(
            judged == [
                .new, .new, .repeated, .replayed, .replayed, .replayed, .restarted, .repeated, .restarted, .new,
            ])
        var stored = ReplayGuard(last: 7_000)
        #expect(stored.judge(6_999) == .replayed)
        #expect(stored.last == 7_000)
        #expect(stored.judge(.max) == .new)
        #expect(stored.judge(0) == .restarted)
    }
}
