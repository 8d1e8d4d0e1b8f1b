/// Tables of RFC 4180 that programs for tables open without harm. All text of people goes through ``field(_:)``.
public enum CSV {
    /// A field, in quotes where it needs them. A text that such a program would take for a formula gets an apostrophe in
    /// front, which keeps it a text (OWASP, CSV injection).
    ///
    /// Looked at scalar by scalar, as a reader of the table does: a sign with a combining mark is another character, and
    /// still a quote, a comma or an equals sign to it.
    public static func field(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        // Programs pass over spaces, and over what is not seen, in front of a formula.
        let first = scalars.first { !($0.properties.isWhitespace && !breaking.contains($0)) && !isUnseen($0) }
        if let first, breaking.contains(first) || formula.contains(first) || (minus.contains(first) && Int(text) == nil)
        {
            scalars.insert("'", at: 0)
        }
        var field = String.UnicodeScalarView()
        if scalars.contains(where: { special.contains($0) }) {
            let quoted = scalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
            field.append(contentsOf: ["\""] + quoted + ["\""])
        } else {
            field.append(contentsOf: scalars)
        }
        return String(field)
    }

    /// What begins a formula, in its wide and small forms too, which programs of East Asia take for the same.
    private static let formula = Set("=+@\u{FF1D}\u{FF0B}\u{FF20}\u{FE66}\u{FE62}\u{FE6B}".unicodeScalars)
    /// The same, but a number may begin with it.
    private static let minus = Set("-\u{FF0D}\u{FE63}\u{2212}".unicodeScalars)
    /// What ends a line or a field somewhere, so that what follows begins one.
    private static let breaking = Set("\t\r\n\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars)
    /// What a field is put in quotes for: what RFC 4180 names, and what else ends a line somewhere.
    private static let special = Set(",\"\r\n\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars)

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFEFF || scalar.properties.generalCategory == .format
    }
}
