/// The rules by which a text becomes a cell of a table (RFC 4180) that is safe to open in a spreadsheet. ``TableWriter`` writes
/// by them.
package enum CSV {
    /// A text as a field, quoted if need be. A text that a spreadsheet would take for a formula gets an apostrophe in
    /// front, which keeps it a text (OWASP, CSV injection).
    ///
    /// It is examined by Unicode scalars, as spreadsheets do: a sign with a combining mark is another character to
    /// Swift, and still a quote, a comma or an equals sign to them.
    package static func field(_ text: String, in form: TableForm = .plain) -> String {
        var scalars = Array(text.unicodeScalars)
        // Programs pass over spaces, and over what is not seen, in front of a formula.
        let first = scalars.first { !($0.properties.isWhitespace && !breaking.contains($0)) && !isUnseen($0) }
        if let first, breaking.contains(first) || formula.contains(first) || (minus.contains(first) && Int(text) == nil)
        {
            scalars.insert("'", at: 0)
        }
        var field = String.UnicodeScalarView()
        if scalars.contains(where: { special.contains($0) || form == .semicolon && $0 == ";" }) {
            let quoted = scalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
            field.append(contentsOf: ["\""] + quoted + ["\""])
        } else {
            field.append(contentsOf: scalars)
        }
        return String(field)
    }

    /// The characters that begin a formula, with their wide and small forms, which spreadsheets in East Asia treat
    /// alike.
    private static let formula = Set("=+@\u{FF1D}\u{FF0B}\u{FF20}\u{FE66}\u{FE62}\u{FE6B}".unicodeScalars)
    /// The minus signs, which may begin a formula or a number.
    private static let minus = Set("-\u{FF0D}\u{FE63}\u{2212}".unicodeScalars)
    /// The characters that end a line or field in some program, so that the next one begins another.
    private static let breaking = Set("\t\r\n\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars)
    /// The characters for which a field is quoted: those of RFC 4180, and others that end a line in some program.
    private static let special = Set(",\"\r\n\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars)

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFEFF || scalar.properties.generalCategory == .format
    }
}
