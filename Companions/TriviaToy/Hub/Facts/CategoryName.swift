import TriviaToyEngine

/// A category as it is called in requests, responses and files.
enum CategoryName: String, Codable, CaseIterable, Sendable {
    // In the order of FactCategory's numbers.
    case general, animals, plants, humanBody, space, earth, science, inventions, computers, numbers, history, geography
    case art, music, books, filmAndTelevision, games, sports, food, languages, mythology, vehicles, politics,
        celebrities
    case kitchenChemistry, oceans, physics, weather

    /// Finds the name of a category.
    ///
    /// - Parameter number: of a ``FactCategory``; an unknown one is ``general``.
    init(number: Int) {
        self = Self.allCases.indices.contains(number) ? Self.allCases[number] : .general
    }

    /// The engine's category.
    var category: FactCategory {
        Self.allCases.firstIndex(of: self).flatMap { FactCategory(rawValue: UInt8($0)) } ?? .general
    }
}

/// A difficulty as it is called in requests, responses and files.
enum DifficultyName: String, Codable, CaseIterable, Sendable {
    case easy, medium, hard

    init(number: Int) { self = Self.allCases.indices.contains(number) ? Self.allCases[number] : .easy }

    /// The engine's difficulty.
    var difficulty: FactDifficulty {
        switch self {
        case .easy: .easy
        case .medium: .medium
        case .hard: .hard
        }
    }
}

/// A language of facts (BCP 47).
enum LanguageName: String, Codable, CaseIterable, Sendable {
    case en, de, es
}
