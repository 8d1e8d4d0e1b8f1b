/// The name of a column as it was meant, UTF-8: without white space around it, and without what programs leave in it that
/// nobody sees.
///
/// A file that was saved, joined or copied several times has byte order marks where they are letters: more than one, within
/// the quotes of the first name, or read as letters of another encoding (``withoutByteOrderMarks(_:)``). Such a name looks
/// like `time`, and is another: the column would be missing, and nobody could see why. So all of ``UnseenCharacters`` is left
/// out, the joiners U+200C and U+200D and the soft hyphen too, which no name of a column needs, and quotes around the rest.
public func columnName(_ cell: [UInt8]) -> [UInt8] {
    let text = withoutByteOrderMarks(UnseenCharacters.removed(from: cell))
    var (start, end) = (text.count, 0)
    var kept: [UInt8] = []
    var place = 0
    while place < text.count {
        let (scalar, size) = decodedScalar(text.span, at: place)
        let length = max(size, 1)
        if scalar != 0x200C, scalar != 0x200D, scalar != 0xAD {
            if !isWhiteSpace(scalar) { (start, end) = (min(start, kept.count), kept.count + length) }
            for index in place..<min(place + length, text.count) { kept.append(text[index]) }
        }
        place += length
    }
    guard start < end else { return [] }
    let name = Array(kept[start..<min(end, kept.count)])
    guard name.count > 2, name.first == UInt8(ascii: "\""), name.last == UInt8(ascii: "\"") else { return name }
    return columnName(Array(name.dropFirst().dropLast()))
}

/// The text without the byte order marks that it begins with, however many: as they are in UTF-8, and as three letters where
/// a program took them for Windows-1252, code page 850 or Mac Roman and wrote the text again (Python:
/// `b"\xef\xbb\xbf".decode("cp1252")` is `ï»¿`). No text is meant to begin so.
public func withoutByteOrderMarks(_ text: [UInt8]) -> [UInt8] {
    var start = 0
    while true {
        let rest = text[start...]
        if let mark = byteOrderMarks.first(where: { rest.starts(with: $0) }) {
            start += mark.count
        } else {
            return start == 0 ? text : Array(rest)
        }
    }
}

/// U+FEFF, and U+200B, which some programs write for it, in UTF-8; then `ï»¿`, `´╗┐` and `Ôªø`.
private var byteOrderMarks: [[UInt8]] {
    [
        [0xEF, 0xBB, 0xBF], [0xE2, 0x80, 0x8B], [0xC3, 0xAF, 0xC2, 0xBB, 0xC2, 0xBF],
        [0xC2, 0xB4, 0xE2, 0x95, 0x97, 0xE2, 0x94, 0x90], [0xC3, 0x94, 0xC2, 0xAA, 0xC3, 0xB8],
    ]
}

/// Whether a scalar has the property White_Space (PropList.txt of the Unicode Character Database).
private func isWhiteSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
}
