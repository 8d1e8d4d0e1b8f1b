import Testing

@testable import HubKit

@Suite("CSV")
struct CSVTests {
    @Test(
        "A mark upon a sign hides neither a quote nor a formula",
        arguments: [
            ("\"\u{301}x", "\"\"\"\u{301}x\""), (",\u{301}", "\",\u{301}\""), ("=\u{301}1", "'=\u{301}1"), ("-1", "-1"),
            ("-\u{301}1", "'-\u{301}1"), ("\u{2028}", "\"'\u{2028}\""), ("\r\n", "\"'\r\n\""), ("Ünder", "Ünder"),
        ])
    func signs(text: String, field: String) {
        #expect(Array(CSV.field(text).unicodeScalars) == Array(field.unicodeScalars))
    }

    @Test(
        "No text is a formula, in whatever width its sign is written",
        arguments: [
            "=", "+", "@", "-", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE66}", "\u{FE62}", "\u{FE63}",
            "\u{FE6B}", "\u{2212}", "\t", " =", "\u{3000}\u{FF1D}", "\u{FEFF}=", "\u{200B}=",
        ])
    func formulas(sign: String) {
        #expect(CSV.field(sign + "1+1") == "'" + sign + "1+1")
    }

    @Test("Numbers stay numbers, and words words", arguments: ["-1", "1", "", "Fern", "a=b", " Fern", "1-2"])
    func plain(text: String) {
        #expect(CSV.field(text) == text)
    }
}
