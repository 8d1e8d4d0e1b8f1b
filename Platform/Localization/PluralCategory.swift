/// The plural form that goes with a number (Unicode CLDR, Plural Rules, cardinals).
public enum PluralCategory: String, Hashable, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// The category of a whole number.
    ///
    /// Languages that are not listed have the rule of English and German, which most languages of Europe share.
    public init(_ count: Int, in language: Language) {
        let n = count.magnitude
        switch language.tag.prefix(while: { $0 != "-" }) {
        case "ja", "ko", "th", "vi", "zh": self = .other
        case "fr", "pt": self = n <= 1 ? .one : .other
        case "pl":
            self = n == 1 ? .one : Self.isFew(n) ? .few : .many
        case "be", "ru", "uk":
            self = n % 10 == 1 && n % 100 != 11 ? .one : Self.isFew(n) ? .few : .many
        case "cs", "sk": self = n == 1 ? .one : (2...4).contains(n) ? .few : .other
        default: self = n == 1 ? .one : .other
        }
    }

    /// Whether a number is 2 to 4, 22 to 24, 32 to 34 and so on, but not 12 to 14.
    private static func isFew(_ n: UInt) -> Bool {
        (2...4).contains(n % 10) && !(12...14).contains(n % 100)
    }
}
