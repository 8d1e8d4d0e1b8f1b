import TLS
import Testing

@Suite("Fingerprints")
struct FingerprintTests {
    @Test("A fingerprint is the SHA-256 of the DER form, in pairs of capitals")
    func pairs() {
        // FIPS 180-4, the digest of "abc".
        #expect(
            Fingerprint(der: Array("abc".utf8)).description
                == "BA:78:16:BF:8F:01:CF:EA:41:41:40:DE:5D:AE:22:23:B0:03:61:A3:96:17:7A:9C:B4:10:FF:61:F2:00:15:AD")
    }
}
