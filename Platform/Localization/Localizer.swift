/// Sentences in one language, for what is made for one reader: charts and reports whose every part is text.
///
/// Where it is not known yet who reads a sentence, it stays a ``LocalizedText``.
public struct Localizer: Sendable {
    public let language: Language
    private let catalog: StringCatalog

    /// - Parameter catalog: of the module whose sentences they are, or of all.
    public init(_ language: Language, from catalog: StringCatalog) {
        self.language = language
        self.catalog = catalog
    }

    /// - Parameter sentence: a literal, so that it can be found in the source.
    public func callAsFunction(_ sentence: LocalizedText.Sentence) -> String { string(LocalizedText(sentence)) }

    /// A sentence that was written elsewhere.
    public func string(_ text: LocalizedText) -> String { text.string(in: language, from: catalog) }

    /// `Mila, Theo and Ines`.
    public func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return string(LocalizedText("\(items.dropLast().joined(separator: ", ")) and \(last)"))
    }

    /// `5,400`, `5.400`.
    public func whole(_ value: Int) -> String { NumberFormat(language).whole(value) }
}
