/// The number that a cell of a table spells, as people and programs of many countries write it; nil for none.
///
/// - White space around it, also that which holds a number together (U+00A0, U+2009, U+202F), and an apostrophe in front, by
///   which spreadsheets keep a text, are passed over. U+2212 is a minus.
/// - A single comma is the decimal one. Points, spaces or apostrophes before it, and commas before a point, stand between
///   thousands: `1.234,5`, `1 234,5` and `1,234.5` are one number.
/// - Where commas are between the cells (`isCommaSeparated`), `1,234` in quotes may be either, and is none.
public func tableNumber(_ cell: Span<UInt8>, isCommaSeparated: Bool = false) -> Double? {
    let text = trimmedRange(cell)
    var (commas, points, others) = (0, 0, 0)
    for index in text {
        switch cell[index] {
        case UInt8(ascii: ","): commas += 1
        case UInt8(ascii: "."): points += 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            continue
        default: others += 1
        }
    }
    // By far the most.
    if commas == 0, points < 2, others == 0 { return decimal(cell.extracting(text)) }
    guard text.count <= 64 else { return nil }
    var digits: [UInt8] = []
    var index = text.lowerBound
    var lastComma = -1
    var lastPoint = -1
    while index < text.upperBound {
        let (scalar, length) = decodedScalar(cell, at: index)
        index += max(length, 1)
        switch scalar {
        case 0x20, 0xA0, 0x2009, 0x202F, 0x27, 0x2019:
            // Between thousands, apostrophes as the Swiss write them.
            if !digits.isEmpty { digits.append(UInt8(ascii: "_")) }
        case 0x2212: digits.append(UInt8(ascii: "-"))
        case 0..<0x80:
            if scalar == 0x2C { lastComma = digits.count }
            if scalar == 0x2E { lastPoint = digits.count }
            digits.append(UInt8(truncatingIfNeeded: scalar))
        default: return nil
        }
    }
    while digits.last == UInt8(ascii: "_") { digits.removeLast() }
    // The last of the two is the decimal one, if it stands once.
    var place = -1
    if commas == 1, lastComma > lastPoint {
        place = lastComma
        if isCommaSeparated, points == 0, isGroup(digits, lastComma), lastComma > 0, lastComma <= 4,
            digits[0] != UInt8(ascii: "0")
        {
            return nil
        }
    } else if points == 1, lastPoint > lastComma {
        place = lastPoint
    }
    var plain: [UInt8] = []
    for (index, byte) in digits.enumerated() {
        if index == place {
            plain.append(UInt8(ascii: "."))
        } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") {
            // Three digits stand behind each, and none behind the decimal one.
            guard index > 0, place < 0 || index < place, isGroup(digits, index) else { return nil }
        } else {
            plain.append(byte)
        }
    }
    return decimal(plain.span)
}

/// Whether just three digits stand behind a place.
private func isGroup(_ digits: [UInt8], _ place: Int) -> Bool {
    guard place + 3 < digits.count else { return false }
    for index in (place + 1)...(place + 3) where digits[index] &- UInt8(ascii: "0") > 9 { return false }
    return place + 4 >= digits.count || digits[place + 4] &- UInt8(ascii: "0") > 9
}
