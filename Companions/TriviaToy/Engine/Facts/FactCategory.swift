import Wire

/// The category of a fact. The numbers are in messages and in the database: never change one, only add.
public enum FactCategory: UInt8, CaseIterable, Sendable {
    case general = 0
    case animals = 1
    case plants = 2
    case humanBody = 3
    case space = 4
    case earth = 5
    case science = 6
    case inventions = 7
    case computers = 8
    case numbers = 9
    case history = 10
    case geography = 11
    case art = 12
    case music = 13
    case books = 14
    case filmAndTelevision = 15
    case games = 16
    case sports = 17
    case food = 18
    case languages = 19
    case mythology = 20
    case vehicles = 21
    case politics = 22
    case celebrities = 23
    case kitchenChemistry = 24
    case oceans = 25
    case physics = 26
    case weather = 27

    /// The category of an Open Trivia DB name, as `api_category.php` lists them; `general` where it is not known.
    public init(openTriviaName name: Span<UInt8>) {
        for (known, category) in Self.openTriviaNames where Wire.matches(name, known) {
            self = category
            return
        }
        self = .general
    }

    private static var openTriviaNames: [(StaticString, FactCategory)] {
        [
            ("General Knowledge", .general), ("Entertainment: Books", .books),
            ("Entertainment: Film", .filmAndTelevision), ("Entertainment: Music", .music),
            ("Entertainment: Musicals & Theatres", .music), ("Entertainment: Television", .filmAndTelevision),
            ("Entertainment: Video Games", .games), ("Entertainment: Board Games", .games),
            ("Science & Nature", .science), ("Science: Computers", .computers), ("Science: Mathematics", .numbers),
            ("Mythology", .mythology), ("Sports", .sports), ("Geography", .geography), ("History", .history),
            ("Politics", .politics), ("Art", .art), ("Celebrities", .celebrities), ("Animals", .animals),
            ("Vehicles", .vehicles), ("Entertainment: Comics", .books), ("Science: Gadgets", .inventions),
            ("Entertainment: Japanese Anime & Manga", .filmAndTelevision),
            ("Entertainment: Cartoon & Animations", .filmAndTelevision),
        ]
    }
}

/// A set of categories that a child has chosen, one bit each.
public struct FactCategories: Equatable, Sendable {
    /// The bits; bit n is the category of raw value n.
    public var bits: UInt64

    /// Creates a set from its bits; unknown bits are kept, for a later version.
    public init(bits: UInt64) { self.bits = bits }

    /// Every category, including later ones.
    public static var all: FactCategories { FactCategories(bits: .max) }

    /// Whether a category is chosen.
    public func contains(_ category: FactCategory) -> Bool { bits >> UInt64(category.rawValue) & 1 == 1 }

    /// Chooses one more.
    public mutating func insert(_ category: FactCategory) { bits |= 1 << UInt64(category.rawValue) }
}

/// The difficulty of a fact, by which it is told from some age on.
public enum FactDifficulty: UInt8, CaseIterable, Sendable {
    case easy = 0
    case medium = 1
    case hard = 2

    /// The youngest age in years that hears it, unless the fact says otherwise.
    public var youngestAge: UInt8 {
        switch self {
        case .easy: 0
        case .medium: 8
        case .hard: 12
        }
    }

    /// Reads Open Trivia DB's word; nil for an unknown one.
    public init?(openTriviaName name: Span<UInt8>) {
        if Wire.matches(name, "easy") {
            self = .easy
        } else if Wire.matches(name, "medium") {
            self = .medium
        } else if Wire.matches(name, "hard") {
            self = .hard
        } else {
            return nil
        }
    }
}

/// The languages that the speech module has, and their numbers in its `L` command.
public enum FactLanguage: UInt8, CaseIterable, Sendable {
    case english = 0
    case castilianSpanish = 1
    case latinAmericanSpanish = 2
}

/// A vote on a fact. `none` takes an earlier one back.
public enum FactVote: Int8, CaseIterable, Sendable {
    case down = -1
    case none = 0
    case up = 1
}
