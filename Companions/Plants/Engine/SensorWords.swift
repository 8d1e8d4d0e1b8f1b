import Wire

/// The words and topics beside numbers that sensors and the programs between send.
extension SensorMessage {
    /// Whether a text says that there is no value this time: `nan` of C and ESPHome, `None` of Python's templates,
    /// `unavailable` and `unknown` of Home Assistant, `null` of JSON, `undefined` of Node-RED, in any case of letters.
    public static func isNoValue(_ text: Span<UInt8>) -> Bool {
        matchesIgnoringCase(
            text,
            oneOf: [
                "nan", "-nan", "+nan", "none", "null", "unavailable", "unknown", "undefined", "n/a", "na", "nil", "-",
                "--",
            ])
    }

    /// Whether a text says how a device is, as its last will and its first message do.
    public static func isStateWord(_ text: Span<UInt8>) -> Bool {
        matchesIgnoringCase(
            text,
            oneOf: ["online", "offline", "connected", "disconnected", "alive", "dead", "ready", "lost"])
    }

    /// The quantity's part of a topic: the middle of ESPHome's `sensor/<name>/state`, otherwise all of it.
    static func nameRange(_ tail: Span<UInt8>) -> Range<Int> {
        let before = "sensor/".utf8.count
        let after = "/state".utf8.count
        guard hasPrefix(tail, "sensor/"), tail.count > before + after,
            matches(tail.extracting(tail.count - after..<tail.count), "/state")
        else { return 0..<tail.count }
        return before..<tail.count - after
    }

    /// The part of a message without a byte order mark, and without white space and NULs around it.
    static func contentRange(_ text: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = text.count
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { start = 3 }
        while start < end, isASCIISpace(text[start]) || text[start] == 0 { start += 1 }
        while end > start, isASCIISpace(text[end - 1]) || text[end - 1] == 0 { end -= 1 }
        return start..<end
    }

    /// The part of a text between its quotes, if it has them.
    static func unquotedRange(_ text: Span<UInt8>) -> Range<Int> {
        guard text.count >= 2, text[0] == text[text.count - 1],
            text[0] == UInt8(ascii: "\"") || text[0] == UInt8(ascii: "'")
        else { return 0..<text.count }
        return 1..<text.count - 1
    }

    /// Whether a text is `inf`, `-Infinity` or a number too large, as printf prints a division by zero.
    static func spellsNonNumber(_ text: Span<UInt8>) -> Bool {
        let sign = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") ? 1 : 0
        guard sign < text.count else { return false }
        let byte = text[sign]
        if byte &- UInt8(ascii: "0") < 10 {
            // Digits and an exponent, and still no Double: it is too large.
            for index in sign..<text.count {
                switch text[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
                    UInt8(ascii: "+"):
                    continue
                default: return false
                }
            }
            return text[text.count - 1] &- UInt8(ascii: "0") < 10
        }
        guard text.count - sign >= 3 else { return false }
        return byte | 0x20 == UInt8(ascii: "i") && text[sign + 1] | 0x20 == UInt8(ascii: "n")
    }
}
