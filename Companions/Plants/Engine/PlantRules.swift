import Wire

/// The rules for a plant's name and limits. The hub checks them; in WebAssembly the same rules are available to a page
/// without network.
///
/// The original's narrower rules, seven plants and fifteen characters, are those of ``LegacyGarden``.
public enum PlantRules {
    /// The longest name, in characters (Unicode scalars).
    public static let longestName = 40
    /// The longest place, in characters (Unicode scalars).
    public static let longestPlace = 60
    /// The least distance between the limits, in percent: with less than the hysteresis a plant could never be well
    /// again.
    public static let leastSpan = 10.0

    /// The reason why a name or limits are invalid.
    public enum Failure: UInt8, Error, Sendable {
        /// The name is empty, or only spaces.
        case nameEmpty = 1
        /// The name has more than ``longestName`` characters.
        case nameTooLong = 2
        /// The name has control characters or invalid UTF-8.
        case nameNotText = 3
        /// A limit that is no number from 0 to 100.
        case limitOutOfRange = 4
        /// The limits are the wrong way round, or closer than ``leastSpan``.
        case limitsTooClose = 5
        /// More than ``longestPlace`` characters, or control characters.
        case placeTooLong = 6
    }

    /// Checks a name. Emoji, quotes and angle brackets are allowed: they are escaped when the name is shown.
    public static func check(name: Span<UInt8>) throws(Failure) {
        guard isText(name) else { throw .nameNotText }
        guard !trimmedRange(name).isEmpty else { throw .nameEmpty }
        guard scalarCount(name) <= longestName else { throw .nameTooLong }
    }

    /// Checks a place, which may be empty.
    public static func check(place: Span<UInt8>) throws(Failure) {
        guard isText(place), scalarCount(place) <= longestPlace else { throw .placeTooLong }
    }

    /// Checks limits, percent.
    public static func check(low: Double, high: Double) throws(Failure) {
        guard (0...100).contains(low), (0...100).contains(high) else { throw .limitOutOfRange }
        guard high - low >= leastSpan else { throw .limitsTooClose }
    }

    /// Checks limits of a quantity besides moisture; a side may be nil.
    public static func check(_ quantity: LimitedQuantity, low: Double?, high: Double?) throws(Failure) {
        if let low, !quantity.sensible.contains(low) { throw .limitOutOfRange }
        if let high, !quantity.sensible.contains(high) { throw .limitOutOfRange }
        guard let low, let high else { return }
        guard high > low else { throw .limitsTooClose }
    }

    private static func isText(_ text: Span<UInt8>) -> Bool {
        guard isUTF8(text) else { return false }
        for index in 0..<text.count where text[index] < 0x20 || text[index] == 0x7F { return false }
        return true
    }
}
