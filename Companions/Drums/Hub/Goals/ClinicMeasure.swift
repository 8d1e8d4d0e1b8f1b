import Localization

/// A test by which a clinic measures a hand. None of it is computed here, and none of it from practice.
enum ClinicMeasure: String, Codable, Sendable, CaseIterable {
    /// The Box and Block Test: blocks a minute, each hand by itself.
    case boxAndBlock
    /// The Assisting Hand Assessment: AHA units, 0 to 100.
    case aha
    /// The Canadian Occupational Performance Measure: performance and satisfaction, 1 to 10, for each goal.
    case copm
    /// Goal Attainment Scaling: −2 to +2, for each goal.
    case gas

    var values: ClosedRange<Int> {
        switch self {
        case .boxAndBlock: 0...150
        case .aha: 0...100
        case .copm: 1...10
        case .gas: -2...2
        }
    }

    var isOfSide: Bool { self == .boxAndBlock }
    var isOfGoal: Bool { self == .copm || self == .gas }

    /// The test's name, which is one in every language but for the first.
    var title: LocalizedText {
        switch self {
        case .boxAndBlock: LocalizedText("Box and Block Test")
        case .aha: LocalizedText("Assisting Hand Assessment (AHA)")
        case .copm: LocalizedText("COPM")
        case .gas: LocalizedText("Goal Attainment Scaling (GAS)")
        }
    }

    /// The unit of the test's values.
    var unit: LocalizedText {
        switch self {
        case .boxAndBlock: LocalizedText("blocks in a minute, 0 to 150")
        case .aha: LocalizedText("AHA units, 0 to 100")
        case .copm: LocalizedText("1 to 10")
        case .gas: LocalizedText("−2 to +2, where 0 is the expected outcome")
        }
    }
}
