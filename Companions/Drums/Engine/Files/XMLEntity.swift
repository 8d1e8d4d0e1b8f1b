import Wire

/// The character that a reference of XML stands for, by what is between `&` and `;` (XML 1.0, 4.1 and 4.6): one of the five names,
/// or a number.
///
/// - Returns: nil for another name, and for a number that is no character.
func xmlEntity(named slice: ArraySlice<UInt8>) -> UInt32? {
    let name = slice.span
    if matches(name, "amp") { return 0x26 }
    if matches(name, "lt") { return 0x3C }
    if matches(name, "gt") { return 0x3E }
    if matches(name, "quot") { return 0x22 }
    if matches(name, "apos") { return 0x27 }
    guard hasPrefix(name, "#") else { return nil }
    let isHexadecimal = hasPrefix(name, "#x")
    let digits = name.extracting((isHexadecimal ? 2 : 1)..<name.count)
    guard !digits.isEmpty else { return nil }
    var scalar: UInt32 = 0
    for index in digits.indices {
        guard let digit = hexValue(digits[index]), isHexadecimal || digit < 10 else { return nil }
        scalar = scalar * (isHexadecimal ? 16 : 10) + UInt32(digit)
    }
    // The characters of XML, save those that Unicode leaves undefined.
    guard scalar > 0, scalar <= 0x10FFFF, scalar & 0xFFFFF800 != 0xD800 else { return nil }
    return scalar
}
