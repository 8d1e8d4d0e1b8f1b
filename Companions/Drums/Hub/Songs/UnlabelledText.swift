import Foundation

/// Text that does not say its encoding, such as a title in a MIDI file.
enum UnlabelledText {
    /// Reads text: UTF-8 where it is that, else the encoding of the program that most likely wrote it.
    ///
    /// - Letters above 0xC0 beside as few of ASCII are Cyrillic (Windows-1251).
    /// - Bytes from 0x80 to 0x9F next to letters are the umlauts and accents of DOS (code page 437), which Windows has
    ///   signs such as quotation marks for.
    /// - Else it is Windows-1252, which is Latin 1 with these signs.
    static func decoded(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let high = bytes.count { $0 >= 0xC0 }
        let ascii = bytes.count { isLetter($0) }
        if high > ascii { return text(bytes, .windowsCP1251) }
        let isDOS = bytes.indices.contains { isDOSLetter(at: $0, in: bytes) }
        if isDOS {
            var scalars = String.UnicodeScalarView()
            for byte in bytes { scalars.append(byte < 0x80 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 0x80]) }
            return String(scalars)
        }
        return text(bytes, .windowsCP1252)
    }

    /// Whether a byte is a letter of DOS by where it stands: within a word of ASCII letters, or at the beginning of
    /// one.
    private static func isDOSLetter(at place: Int, in bytes: [UInt8]) -> Bool {
        let byte = bytes[place]
        // An apostrophe of Windows stands between letters, too.
        guard (0x80...0x9F).contains(byte), byte != 0x91, byte != 0x92 else { return false }
        let isLetterNext = place + 1 < bytes.count && isLetter(bytes[place + 1])
        return isLetterNext && (place == 0 || isLetter(bytes[place - 1]))
    }

    private static func text(_ bytes: [UInt8], _ encoding: String.Encoding) -> String {
        // Windows-1252 has five bytes without a sign; Latin 1 has all.
        String(bytes: bytes, encoding: encoding) ?? String(bytes: bytes, encoding: .isoLatin1) ?? ""
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    /// The upper half of IBM's code page 437 (Unicode Consortium, VENDORS/MICSFT/PC/CP437.TXT).
    private static let codePage437 = Array(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
            .unicodeScalars)
}
