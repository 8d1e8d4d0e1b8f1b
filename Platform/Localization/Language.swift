/// A language, as BCP 47 names it.
public struct Language: Hashable, Sendable, CustomStringConvertible {
    /// The tag in lower case, as tags are compared (RFC 5646, 2.1.1): `en`, `de`, `pt-br`.
    public let tag: String

    /// The language in which all texts are written, used where there is no translation.
    public static let english = Language("en")

    /// Creates a language from its tag, in upper or lower case.
    public init(_ tag: String) {
        self.tag = tag.lowercased()
    }

    public var description: String { tag }

    /// The tag without its last part (RFC 4647, 3.4: Lookup); nil where it has one part alone.
    var parent: Language? {
        guard let dash = tag.lastIndex(of: "-") else { return nil }
        var rest = tag[..<dash]
        // A single letter begins an extension, and says nothing by itself.
        if let before = rest.lastIndex(of: "-"), rest.distance(from: before, to: rest.endIndex) == 2 {
            rest = rest[..<before]
        }
        return Language(String(rest))
    }

    /// The best available language for a request.
    ///
    /// - Parameters:
    ///   - acceptLanguage: the value of the header, such as `de-AT, de;q=0.9, en;q=0.5` (RFC 9110, 12.5.4). Parts that
    ///     cannot be read are skipped, and so is everything after 32 languages.
    ///   - available: the languages with translations; English is always available.
    public static func preferred(acceptLanguage: String, among available: Set<Language>) -> Language {
        var wishes: [(language: Language, quality: Int)] = []
        for part in acceptLanguage.split(separator: ",").prefix(32) {
            let fields = part.split(separator: ";").map { $0.drop { $0 == " " || $0 == "\t" } }
            guard let name = fields.first?.prefix(while: { $0 != " " && $0 != "\t" }), !name.isEmpty,
                name.utf8.count <= 35
            else { continue }
            let weight = fields.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }
            let quality = weight.map { thousandths(of: $0.dropFirst(2)) } ?? 1000
            if quality > 0 { wishes.append((Language(String(name)), quality)) }
        }
        // Sorted so that equal wishes keep their order.
        let sorted = wishes.enumerated().sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        for wish in sorted.map(\.element.language) {
            if wish.tag == "*" { break }
            var candidate: Language? = wish
            while let language = candidate {
                if language == .english || available.contains(language) { return language }
                candidate = language.parent
            }
        }
        return .english
    }

    /// A weight of RFC 9110, 12.4.2, such as `0.75`, in thousandths; anything else counts as the least.
    private static func thousandths(of text: Substring) -> Int {
        let digits = text.prefix { $0 != " " && $0 != "\t" }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int($0) }), (0...1).contains(whole) else { return 0 }
        if whole == 1 { return 1000 }
        guard parts.count == 2 else { return 0 }
        let fraction = parts[1].prefix(3)
        guard let value = Int(fraction), value >= 0 else { return 0 }
        return value * (fraction.count == 1 ? 100 : fraction.count == 2 ? 10 : 1)
    }
}
