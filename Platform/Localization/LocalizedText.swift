/// A sentence for people, with what stands in it, before it is known who reads it and in which language.
///
/// It is written in English where it is used, `LocalizedText("\(name) wants water.")`, and the English sentence is the key
/// of the others, as with Apple's `LocalizedStringResource`. `Localizable.xcstrings` of the module has them, and
/// `scripts/strings.py` says which are missing.
public struct LocalizedText: Hashable, Sendable {
    /// The English sentence, with `%@` in the place of each argument.
    public let key: String
    public let arguments: [Argument]

    /// What stands in a sentence.
    public enum Argument: Hashable, Sendable {
        /// A name, or another text that no language changes.
        case text(String)
        /// A count. The first of a sentence decides between one and many; a list counts as many as stand in it.
        case count(Int)
        /// A count that is written as a word where it is small: `three`.
        case spelled(Int)
        /// A measured value: `thousandths` / 1,000, written with at most `decimals` digits after the sign.
        case decimal(thousandths: Int, decimals: Int)
        /// A sentence or word within a sentence.
        indirect case localized(LocalizedText)
        /// Several, joined as the language joins them.
        indirect case list([Argument])
    }

    /// - Parameter sentence: a literal, so that it can be found in the source.
    public init(_ sentence: Sentence) {
        key = sentence.key
        arguments = sentence.arguments
    }

    /// As the source has it, for logs and terminals.
    public var english: String { string(in: .english, from: StringCatalog()) }

    /// A text that is the same in all languages.
    public init(verbatim text: String) {
        key = "%@"
        arguments = [.text(text)]
    }

    /// The literal of a ``LocalizedText``.
    public struct Sentence: ExpressibleByStringInterpolation, Sendable {
        var key: String
        var arguments: [Argument]

        public init(stringLiteral value: String) {
            key = value.replacing("%", with: "%%")
            arguments = []
        }

        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var arguments: [Argument] = []

            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity + 2 * interpolationCount)
                arguments.reserveCapacity(interpolationCount)
            }

            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacing("%", with: "%%")
            }

            public mutating func appendInterpolation(_ text: String) { append(.text(text)) }

            public mutating func appendInterpolation(_ count: some BinaryInteger) {
                append(.count(Int(clamping: count)))
            }

            /// `three`, and `13` in digits.
            public mutating func appendInterpolation(spelled count: some BinaryInteger) {
                append(.spelled(Int(clamping: count)))
            }

            public mutating func appendInterpolation(_ text: LocalizedText) { append(.localized(text)) }

            /// `Mila, Theo and Ines`.
            public mutating func appendInterpolation(list names: [String]) { append(.list(names.map { .text($0) })) }

            public mutating func appendInterpolation(list texts: [LocalizedText]) {
                append(.list(texts.map { .localized($0) }))
            }

            /// - Parameters:
            ///   - thousandths: the value in thousandths, as engines count.
            ///   - decimals: 0 to 3, at most so many.
            public mutating func appendInterpolation(thousandths: some BinaryInteger, decimals: Int) {
                append(.decimal(thousandths: Int(clamping: thousandths), decimals: min(max(decimals, 0), 3)))
            }

            private mutating func append(_ argument: Argument) {
                key += "%@"
                arguments.append(argument)
            }
        }
    }
}
