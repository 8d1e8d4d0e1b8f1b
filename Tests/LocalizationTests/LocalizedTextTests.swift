import TestInstruments
import Testing

@testable import Localization

@Suite("Sentences in several languages")
struct LocalizedTextTests {
    private static let german = Language("de")

    private func catalog(_ strings: String) throws -> StringCatalog {
        try StringCatalog(json: #"{"sourceLanguage": "en", "version": "1.0", "strings": {\#(strings)}}"#.utf8)
    }

    private func unit(_ value: String) -> String { #"{"stringUnit": {"state": "translated", "value": "\#(value)"}}"# }

    @Test("A sentence without a translation is the one that is written in the source, with what stands in it")
    func source() {
        let name = "Fern"
        let text = LocalizedText("\(name) wants \(thousandths: 1250, decimals: 1) litres, 100 % of it now.")
        #expect(text.key == "%@ wants %@ litres, 100 %% of it now.")
        #expect(text.string(in: Self.german, from: StringCatalog()) == "Fern wants 1,3 litres, 100 % of it now.")
        #expect(text.string(in: .english, from: StringCatalog()) == "Fern wants 1.3 litres, 100 % of it now.")
    }

    @Test("A translation may turn the order round, and leave something out")
    func order() throws {
        let catalog = try catalog(
            #""%@ has %@ left": {"localizations": {"de": \#(unit("%2$@ sind es noch für %1$@")), "nl": \#(unit("Nog %2$@"))}}"#
        )
        let (name, count) = ("Mila", 3)
        let text = LocalizedText("\(name) has \(count) left")
        #expect(text.string(in: Self.german, from: catalog) == "3 sind es noch für Mila")
        #expect(text.string(in: Language("nl"), from: catalog) == "Nog 3")
        #expect(text.string(in: Language("de-AT"), from: catalog) == "3 sind es noch für Mila", "the nearest one")
    }

    @Test(
        "One and many are two forms, in English too",
        arguments: [
            ("en", 1, "1 plant"), ("en", 0, "0 plants"), ("de", 1, "1 Pflanze"), ("de", 1_200, "1.200 Pflanzen"),
        ])
    func plurals(tag: String, count: Int, expected: String) throws {
        let forms = { (one: String, other: String) in
            #"{"variations": {"plural": {"one": \#(self.unit(one)), "other": \#(self.unit(other))}}}"#
        }
        let catalog = try catalog(
            #""%@ plants": {"localizations": {"en": \#(forms("%@ plant", "%@ plants")), "de": \#(forms("%@ Pflanze", "%@ Pflanzen"))}}"#
        )
        #expect(LocalizedText("\(count) plants").string(in: Language(tag), from: catalog) == expected)
    }

    @Test("Names are joined as the language joins them, and a sentence may stand in another")
    func lists() throws {
        let catalog = try catalog(
            #""%@ and %@": {"localizations": {"de": \#(unit("%@ und %@"))}}, "Look: %@": {"localizations": {"de": \#(unit("Sieh: %@"))}}"#
        )
        let inner = LocalizedText("\(list: ["Mila", "Theo", "Ines"])")
        #expect(LocalizedText("Look: \(inner)").string(in: Self.german, from: catalog) == "Sieh: Mila, Theo und Ines")
        #expect(LocalizedText("\(list: ["Mila"])").string(in: .english, from: catalog) == "Mila")
        #expect(LocalizedText("\(list: [String]())").string(in: .english, from: catalog) == "")
    }

    @Test("What somebody typed is never read as a format")
    func verbatim() {
        let name = "100 %@ %2$@ %%"
        #expect(
            LocalizedText("\(name) is here.").string(in: .english, from: StringCatalog()) == "100 %@ %2$@ %% is here.")
        #expect(LocalizedText(verbatim: name).string(in: Self.german, from: StringCatalog()) == name)
    }

    @Test(
        "A catalog that does not fit is refused, with the sentence that is meant",
        arguments: [
            (#""Hello": {"localizations": {"de": {"stringUnit": {"value": "Hallo %@"}}}}"#, "other placeholders in de"),
            (#""Hello": {"localizations": {"de": {}}}"#, "plural forms with “other”"),
            (
                #""Hello": {"localizations": {"de": {"variations": {"plural": {"some": {"stringUnit": {"value": "x"}}}}}}}"#,
                "no plural form “some”"
            ),
            (#""Hello": 7"#, "no String Catalog"),
        ])
    func refused(strings: String, reason: String) {
        let error = #expect(throws: StringCatalogError.self) { _ = try catalog(strings) }
        #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("Two catalogs together have the sentences and languages of both")
    func merging() throws {
        let one = try catalog(#""Yes": {"localizations": {"de": \#(unit("Ja"))}}"#)
        let both = one.merging(
            try catalog(
                #""Yes": {"localizations": {"fr": \#(unit("Oui"))}}, "No": {"localizations": {"de": \#(unit("Nein"))}}"#
            ))
        #expect(LocalizedText("Yes").string(in: Self.german, from: both) == "Ja")
        #expect(LocalizedText("Yes").string(in: Language("fr"), from: both) == "Oui")
        #expect(LocalizedText("No").string(in: Self.german, from: both) == "Nein")
        #expect(both.languages == [Self.german, Language("fr")])
    }

    @Test(
        "The language is the best that is asked for and there (RFC 9110, 12.5.4, RFC 4647, 3.4)",
        arguments: [
            ("de", "de"), ("de-AT, en;q=0.5", "de"), ("fr, de;q=0.8, en;q=0.9", "en"), ("fr;q=1, DE;q=0.8", "de"),
            ("", "en"),
            ("fr, nl", "en"), ("de;q=0, en", "en"), ("*", "en"), ("de-x-private", "de"), ("de;q=0.001", "de"),
            ("de;q=x", "en"),
            (", ;q=1,,de", "de"), ("en-GB, de", "en"),
        ])
    func preferred(header: String, expected: String) {
        #expect(Language.preferred(acceptLanguage: header, among: [.english, Self.german]).tag == expected)
    }

    @Test("Whatever stands in the header, some language is chosen", arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func anyHeader(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                "de,;q=.01*- \t\u{e9}x".randomElement(using: &random)!
            }
            let language = Language.preferred(acceptLanguage: String(bytes), among: [Self.german])
            #expect([.english, Self.german].contains(language), "\(String(bytes))")
        }
    }

    @Test(
        "A small number is a word, and any other stands in digits",
        arguments: [
            (0, "0", "0"), (1, "1", "1"), (2, "two", "zwei"), (12, "twelve", "zwölf"), (13, "13", "13"),
            (1_250, "1,250", "1.250"), (-3, "\u{2212}3", "\u{2212}3"),
        ])
    func spelled(count: Int, english: String, german: String) {
        let text = LocalizedText("\(spelled: count)")
        #expect(text.string(in: .english, from: .words) == english)
        #expect(text.string(in: Self.german, from: .words) == german)
    }

    @Test("A list is as many as stand in it, and each of several sentences begins with a capital")
    func listCounts() throws {
        let catalog = try StringCatalog(
            json: Array(
                """
                {"sourceLanguage": "en", "version": "1.0", "strings": {"%@ sing.": {"localizations": {"en": {"variations":
                {"plural": {"one": {"stringUnit": {"value": "%@ sings."}}, "other": {"stringUnit": {"value": "%@ sing."}}}}}}}}}
                """.utf8)
        ).merging(.words)
        let texts = [["the fern"], ["Mila", "Theo"], ["a", "b", "c"]].map { LocalizedText("\(list: $0) sing.") }
        #expect(texts.string(in: .english, from: catalog) == "The fern sings. Mila and Theo sing. A, b and c sing.")
        #expect([LocalizedText]().string(in: .english, from: catalog) == "")
    }

    @Test(
        "Numbers are written as the language writes them",
        arguments: [
            ("en", 1_234_567, "1,234,567"), ("de", 1_234_567, "1.234.567"), ("fr", 12_345, "12\u{A0}345"),
            ("en", -1_000, "\u{2212}1,000"),
            ("en", 0, "0"), ("de", 999, "999"), ("ja", Int.min, "\u{2212}9,223,372,036,854,775,808"),
        ])
    func whole(tag: String, value: Int, expected: String) {
        #expect(NumberFormat(Language(tag)).whole(value) == expected)
    }

    @Test(
        "A measured value is rounded half away from zero, and has no zeros at its end",
        arguments: [
            (21_340, 1, "21,3"), (21_350, 1, "21,4"), (-21_350, 1, "\u{2212}21,4"), (21_000, 2, "21"), (-400, 0, "0"),
            (999_999, 1, "1.000"),
            (5, 3, "0,005"), (5, 2, "0,01"),
        ])
    func decimal(thousandths: Int, decimals: Int, expected: String) {
        #expect(NumberFormat(Self.german).decimal(thousandths: thousandths, decimals: decimals) == expected)
    }

    @Test(
        "The form of a word goes with its number (CLDR, Plural Rules)",
        arguments: [
            ("en", 1, PluralCategory.one), ("en", 0, .other), ("de", 2, .other), ("fr", 0, .one), ("fr", 2, .other),
            ("pl", 22, .few),
            ("pl", 12, .many), ("ru", 21, .one), ("ru", 11, .many), ("uk", 3, .few), ("cs", 3, .few), ("cs", 5, .other),
            ("ja", 1, .other),
        ])
    func category(tag: String, count: Int, expected: PluralCategory) {
        #expect(PluralCategory(count, in: Language(tag)) == expected)
    }
}
