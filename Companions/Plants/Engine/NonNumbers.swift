import Wire

/// The words in place of a number that are not JSON and are written nevertheless: `NaN` and `Infinity` by Python's `json`,
/// `nan` and `inf` by C's `printf`, `None` by a template, `undefined` by JavaScript's.
enum NonNumbers {
    /// The text with `null` for each of them; nil if it holds none.
    ///
    /// - Returns: `hasInfinity` if one of them is a value out of bounds, and not a missing one.
    static func replaced(in text: Span<UInt8>) -> (text: [UInt8], hasInfinity: Bool)? {
        var written: [UInt8] = []
        written.reserveCapacity(text.count + 16)
        var found = false
        var hasInfinity = false
        var isString = false
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isString {
                if byte == UInt8(ascii: "\\"), index + 1 < text.count {
                    written.append(byte)
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if let word = word(at: index, text) {
                found = true
                hasInfinity = hasInfinity || word.isInfinite
                for letter in [UInt8](arrayLiteral: 0x6E, 0x75, 0x6C, 0x6C) { written.append(letter) }
                index += word.count
                continue
            }
            written.append(text[index])
            index += 1
        }
        return found ? (written, hasInfinity) : nil
    }

    /// The length of such a word that begins at a place, its sign included.
    private static func word(at index: Int, _ text: Span<UInt8>) -> (count: Int, isInfinite: Bool)? {
        let sign = text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") ? 1 : 0
        let rest = text.extracting(min(index + sign, text.count)..<text.count)
        if hasPrefix(rest, "Infinity") || hasPrefix(rest, "infinity") { return (sign + 8, true) }
        if hasPrefix(rest, "inf") || hasPrefix(rest, "Inf") { return (sign + 3, true) }
        if hasPrefix(rest, "NaN") || hasPrefix(rest, "nan") { return (sign + 3, false) }
        if hasPrefix(rest, "None") { return (sign + 4, false) }
        if hasPrefix(rest, "undefined") { return (sign + 9, false) }
        return nil
    }
}
