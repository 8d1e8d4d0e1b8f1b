import Testing

@testable import Passkeys

/// Bytes by their hexadecimal digits, spaces ignored.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

@Suite("CBOR of authenticators")
struct CBORReaderTests {
    private func error(_ hex: String) -> CBORError? {
        do throws(CBORError) {
            _ = try CBORReader.whole(bytes(hex))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "The examples of RFC 8949, appendix A, that authenticators may write",
        arguments: [
            ("00", CBORValue.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1_000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
            ("3903e7", .negative(999)), ("3bffffffffffffffff", .negative(.max)), ("f4", .boolean(false)),
            ("f5", .boolean(true)), ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
            ("60", .text("")), ("62c3bc", .text("ü")), ("64f0908591", .text("\u{10151}")), ("80", .array([])),
            (
                "8301820203820405",
                .array([.unsigned(1), .array([2, 3].map { .unsigned($0) }), .array([4, 5].map { .unsigned($0) })])
            ),
            ("a0", .map([:])), ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])),
            (
                "a26161016162820203",
                .map([.text("a"): .unsigned(1), .text("b"): .array([.unsigned(2), .unsigned(3)])])
            ),
        ])
    func examples(hex: String, value: CBORValue) throws {
        #expect(try CBORReader.whole(bytes(hex)) == value)
    }

    @Test("The keys of a COSE key come as CTAP2 orders them: 1, 3, -1, -2, -3")
    func keyOrder() throws {
        #expect(error("a50102032620012140224100") == nil)
        #expect(error("a2200101 02") == .keyOrder)
    }

    @Test("A longer key comes after a shorter one of its kind, whatever its letters are")
    func longerKeys() {
        #expect(error("a2617a00 626161 00") == nil)
        #expect(error("a2626161 00 617a00") == .keyOrder)
    }

    @Test("A key that is there twice is refused")
    func twice() { #expect(error("a201000100") == .keyOrder) }

    @Test(
        "A number in more bytes than it needs is refused",
        arguments: ["1817", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3817", "5800", "9800", "b800"])
    func longForms(hex: String) { #expect(error(hex) == .longForm) }

    @Test(
        "A length that is not said is refused (indefinite, RFC 8949, 3.2)",
        arguments: ["5fff", "7fff", "9fff", "bfff", "1c", "1f"])
    func indefinite(hex: String) { #expect(error(hex) == .unsupported) }

    @Test(
        "Tags, numbers with a point and other simple values are refused",
        arguments: ["c074", "c11a514b67b0", "f90000", "fa47c35000", "fb3ff199999999999a", "f7", "f0", "f8ff"])
    func unsupported(hex: String) { #expect(error(hex) == .unsupported) }

    @Test(
        "Bytes that end within a value are refused",
        arguments: [
            "", "18", "19ff", "41", "5aff", "62c3", "81", "a1", "a101", "5bffffffffffffffff", "9bffffffffffffffff",
        ])
    func short(hex: String) { #expect(error(hex) == .endsEarly) }

    @Test("A text that is not in UTF-8 is refused")
    func noText() { #expect(error("62c328") == .notText) }

    @Test("Four levels are read, and a fifth is refused (CTAP 2.1, 8)")
    func levels() {
        #expect(error("8181818101") == nil)
        #expect(error("818181818101") == .tooDeep)
        #expect(error("a101a101a101a101a10101") == .tooDeep)
    }

    @Test("More than 256 values are refused")
    func many() {
        #expect(error("98ff" + String(repeating: "00", count: 255)) == nil)
        #expect(error("990100" + String(repeating: "00", count: 256)) == .tooMany)
    }

    @Test("Bytes behind the value are refused")
    func leftOver() { #expect(error("0000") == .leftOver) }
}
