import Foundation

/// Text that does not say its encoding, such as a title in a MIDI file.
enum UnlabelledText {
    /// Reads text: UTF-8 where it is that, else the encoding of the program that most likely wrote it.
    ///
    /// - Letters above 0xC0 beside as few of ASCII are Cyrillic (Windows-1251).
    /// - Bytes from 0x80 to 0x9F next to letters are the umlauts and accents of DOS (code page 437), which Windows has signs
    ///   such as quotation marks for.
    /// - Else it is Windows-1252, which is Latin 1 with these signs.
    static func decoded(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let high = bytes.count { $0 >= 0xC0 }
        let ascii = bytes.count { isLetter($0) }
        if high > ascii { return text(bytes, .windowsCP1251) }
        let isDOS = bytes.indices.contains { place in
            // An apostrophe of Windows stands between letters, too.
            (0x80...0x9F).contains(bytes[place]) && bytes[place] != 0x91 && bytes[place] != 0x92
                && (place > 0 && isLetter(bytes[place - 1]) && place + 1 < bytes.count && isLetter(bytes[place + 1])
                    || place == 0 && bytes.count > 1 && isLetter(bytes[1]))
        }
        if isDOS {
            return String(
                String.UnicodeScalarView(
                    bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : codePage437[Int($0) - 0x80] }))
        }
        return text(bytes, .windowsCP1252)
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
