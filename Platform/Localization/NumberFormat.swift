/// The number symbols of a language (Unicode CLDR): the separators of thousands and of the fraction.
public struct NumberFormat: Hashable, Sendable {
    let group: String
    let point: String

    /// Looks up the symbols of a language.
    public init(_ language: Language) {
        switch language.tag.prefix(while: { $0 != "-" }) {
        case "de", "da", "es", "id", "it", "nl", "pt", "tr": (group, point) = (".", ",")
        case "cs", "fi", "fr", "nb", "no", "pl", "ru", "sk", "sv", "uk": (group, point) = ("\u{A0}", ",")
        default: (group, point) = (",", ".")
        }
    }

    /// A whole number, such as `5,400` or `5.400`.
    public func whole(_ value: Int) -> String {
        let digits = Array(String(value.magnitude))
        var text = value < 0 ? "\u{2212}" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += group }
            text.append(digit)
        }
        return text
    }

    /// A decimal number, such as `21.3` or `21,3`: rounded half away from zero, without trailing zeros.
    public func decimal(thousandths: Int, decimals: Int) -> String {
        let step: UInt = [1000, 100, 10, 1][min(max(decimals, 0), 3)]
        let rounded = (thousandths.magnitude + step / 2) / step * step
        let (units, rest) = rounded.quotientAndRemainder(dividingBy: 1000)
        var text = whole(Int(clamping: units))
        if thousandths < 0, rounded > 0 { text = "\u{2212}" + text }
        guard rest > 0 else { return text }
        var fraction = String(String(1000 + rest).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return text + point + fraction
    }
}
