/// A text for people, with its arguments, before it is known who reads it and in which language.
///
/// It is written in English where it is used, as in `LocalizedText("\(name) wants water.")`, and the English sentence
/// is the key of its translations, as with Apple's `LocalizedStringResource`. They are in `Localizable.xcstrings` of
/// the module, and `make lint` lists the missing ones.
public struct LocalizedText: Hashable, Sendable {
    /// The English sentence, with `%@` in the place of each argument.
    public let key: String
    /// The arguments, in the order in which they appear in the key.
    public let arguments: [Argument]

    /// An argument of a text.
    public enum Argument: Hashable, Sendable {
        /// A name, or another text that is the same in every language.
        case text(String)
        /// A count. The first one of a text selects the plural form; a list counts its elements.
        case count(Int)
        /// A count that is written as a word if it is small, such as `three`.
        case spelled(Int)
        /// A measured value: `thousandths` / 1,000, written with at most `decimals` digits after the point.
        case decimal(thousandths: Int, decimals: Int)
        /// Another text.
        indirect case localized(LocalizedText)
        /// A list, joined as the language joins lists.
        indirect case list([Argument])
    }

    /// Creates a text from a literal, which the tools can find in the source.
    public init(_ sentence: Sentence) {
        key = sentence.key
        arguments = sentence.arguments
    }

    /// The text in English, for logs and terminals.
    public var english: String { string(in: .english, from: StringCatalog()) }

    /// Creates a text that is the same in all languages.
    public init(verbatim text: String) {
        key = "%@"
        arguments = [.text(text)]
    }

    /// The literal of a ``LocalizedText``.
    public struct Sentence: ExpressibleByStringInterpolation, Sendable {
        var key: String
        var arguments: [Argument]

        /// Creates a sentence without arguments.
        public init(stringLiteral value: String) {
            key = value.replacing("%", with: "%%")
            arguments = []
        }

        /// Creates a sentence with arguments.
        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// The parts of an interpolated literal, which become key and arguments.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var arguments: [Argument] = []

            /// Creates an empty interpolation.
            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity + 2 * interpolationCount)
                arguments.reserveCapacity(interpolationCount)
            }

            /// Appends a part of the literal to the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacing("%", with: "%%")
            }

            /// Appends a name, or another text that is the same in every language.
            public mutating func appendInterpolation(_ text: String) { append(.text(text)) }

            /// Appends a count in digits.
            public mutating func appendInterpolation(_ count: some BinaryInteger) {
                append(.count(Int(clamping: count)))
            }

            /// Appends a count as a word if it is small (`three`), else in digits (`13`).
            public mutating func appendInterpolation(spelled count: some BinaryInteger) {
                append(.spelled(Int(clamping: count)))
            }

            /// Appends another text.
            public mutating func appendInterpolation(_ text: LocalizedText) { append(.localized(text)) }

            /// Appends a list of names, such as `Mila, Theo and Ines`.
            public mutating func appendInterpolation(list names: [String]) { append(.list(names.map { .text($0) })) }

            /// Appends a list of texts.
            public mutating func appendInterpolation(list texts: [LocalizedText]) {
                append(.list(texts.map { .localized($0) }))
            }

            /// Appends a measured value.
            ///
            /// - Parameters:
            ///   - thousandths: the value in thousandths, as engines count.
            ///   - decimals: the number of digits after the point, at most: 0 to 3.
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
