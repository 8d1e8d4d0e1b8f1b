/// A translator into one language, for output that is made for one reader, such as charts and reports.
///
/// Where the reader is not known yet, use ``LocalizedText``.
public struct Localizer: Sendable {
    /// The language of the reader.
    public let language: Language
    private let catalog: StringCatalog

    /// Creates a translator.
    ///
    /// - Parameter catalog: the translations of the module that wrote the texts, or of all modules.
    public init(_ language: Language, from catalog: StringCatalog) {
        self.language = language
        self.catalog = catalog
    }

    /// The translation of a literal.
    public func callAsFunction(_ sentence: LocalizedText.Sentence) -> String { string(LocalizedText(sentence)) }

    /// The translation of a text that was written elsewhere.
    public func string(_ text: LocalizedText) -> String { text.string(in: language, from: catalog) }

    /// The translation of whole sentences, one after the other.
    public func string(_ sentences: [LocalizedText]) -> String { sentences.string(in: language, from: catalog) }

    /// A list of names as the language joins them, such as `Mila, Theo and Ines`.
    public func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return string(LocalizedText("\(items.dropLast().joined(separator: ", ")) and \(last)"))
    }

    /// A whole number as the language groups it, such as `5,400` or `5.400`.
    public func whole(_ value: Int) -> String { NumberFormat(language).whole(value) }
}
