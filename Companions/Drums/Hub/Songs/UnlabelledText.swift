import Wire

/// Text that does not say its encoding, such as a title in a MIDI file.
enum UnlabelledText {
    /// Reads text: UTF-8 or UTF-16 where it is that, else the encoding of the program that most likely wrote it.
    ///
    /// - More letters beyond ASCII than of it are Cyrillic: of DOS (code page 866) where most lie below 0xB0, of Unix (KOI8-R)
    ///   where a word's first letter is a capital by that, else of Windows (1251).
    /// - Bytes that Windows has signs for, within words, are the umlauts and accents of DOS (code page 850) or of the Macintosh
    ///   (``OldEncoding/latin(_:tie:)``), and where capitals may stand those of DOS.
    /// - Else it is Windows-1252, which is Latin 1 with these signs.
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
        // Where DOS has signs for frames no encoding has small letters, and quotation marks of Windows lie below 0xA0.
        let beyond = bytes.count { $0 >= 0xC0 || (0xA0...0xAF).contains($0) }
        if beyond > 1, beyond > bytes.count(where: { isLetter($0) }) { return cyrillic(bytes) }
        let latin = OldEncoding.latin(bytes.span, tie: .dos850)
        guard latin == .windows1252 else { return latin }
        return bytes.indices.contains { isDOSCapital(at: $0, in: bytes) } ? .dos850 : .windows1252
    }

    /// The encoding of Cyrillic text: capitals and small letters lie apart in each, and the other way round in KOI8-R.
    private static func cyrillic(_ bytes: [UInt8]) -> OldEncoding {
        let low = bytes.count { (0x80...0xAF).contains($0) }
        if low > bytes.count(where: { (0xC0...0xDF).contains($0) || $0 >= 0xF2 }) { return .dos866 }
        let isUnix = bytes.indices.dropLast().contains { place in
            let isFirst = place == 0 || bytes[place - 1] < 0x41
            return isFirst && bytes[place] >= 0xE0 && (0xC0...0xDF).contains(bytes[place + 1])
        }
        return isUnix ? .koi8R : .windows1251
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
