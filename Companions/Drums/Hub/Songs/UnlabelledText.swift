import Wire

/// Text that does not say its encoding, such as a title in a MIDI file.
enum UnlabelledText {
    /// Reads text: UTF-8 or UTF-16 where it is that, else the encoding of the program that most likely wrote it.
    ///
    /// - The encoding is the one by which its words are of some language, as in tables (``OldEncoding/likeliest(_:tie:)``): of
    ///   Windows, DOS, Unix or the Macintosh, in Latin, Cyrillic or Greek letters.
    /// - Where that is Windows-1252, which is Latin 1 with some signs, such signs where capitals may stand are those of DOS.
    ///
    /// A text that was cut off within a letter of UTF-8 is read up to there.
    ///
    /// - Returns: nil for kana of Shift JIS or EUC-JP, which are not read here.
    static func decoded(_ bytes: [UInt8]) -> String? {
        if let text = utf8Text(ofUTF16: bytes) { return String(decoding: text, as: UTF8.self) }
        for cut in 0...min(3, bytes.count) {
            guard let text = String(validating: bytes.dropLast(cut), as: UTF8.self) else { continue }
            if cut == 0 || text.utf8.contains(where: { $0 >= 0x80 }) { return text }
        }
        guard !isKana(bytes) else { return nil }
        return String(decoding: encoding(of: bytes).utf8(bytes.span), as: UTF8.self)
    }

    private static func encoding(of bytes: [UInt8]) -> OldEncoding {
        let likeliest = OldEncoding.likeliest(bytes.span, tie: .dos850)
        guard likeliest == .windows1252 else { return likeliest }
        return bytes.indices.contains { isDOSCapital(at: $0, in: bytes) } ? .dos850 : .windows1252
    }

    /// Whether most of a text are pairs with the lead bytes of kana: 0x82 and 0x83 of Shift JIS, 0xA4 and 0xA5 of EUC-JP.
    private static func isKana(_ bytes: [UInt8]) -> Bool {
        for leads in [0x82...0x83, 0xA4...0xA5] as [ClosedRange<UInt8>] {
            var pairs = 0
            var place = 0
            while place + 1 < bytes.count {
                let isPair = leads.contains(bytes[place]) && bytes[place + 1] >= (bytes[place] == 0x83 ? 0x40 : 0x9F)
                if isPair { pairs += 1 }
                place += isPair ? 2 : 1
            }
            if pairs >= 2, pairs * 8 >= bytes.count * 3 { return true }
        }
        return false
    }

    /// Whether a byte is Ç, Ä, Å, É, Ö or Ü of DOS by where it stands: at the beginning of the text, or behind a capital.
    private static func isDOSCapital(at place: Int, in bytes: [UInt8]) -> Bool {
        guard [0x80, 0x8E, 0x8F, 0x90, 0x99, 0x9A].contains(bytes[place]) else { return false }
        let isLetterNext = place + 1 < bytes.count && isLetter(bytes[place + 1])
        return isLetterNext && (place == 0 || (0x41...0x5A).contains(bytes[place - 1]))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}
