/// One part of brushing one's teeth.
public struct RoutineStep: Sendable, Equatable {
    /// What is done in it.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// With a brush and toothpaste, a quarter of the mouth a repetition.
        case brush = 0
        /// Between the teeth.
        case floss = 1
        /// Spitting out; with water only for those who want it.
        case rinse = 2
    }

    public var kind: Kind
    /// How often in a row: four quarters of the mouth.
    public var repetitions: UInt8
    /// Of each repetition.
    public var seconds: UInt16
    /// A step that is off keeps its numbers.
    public var isOn: Bool

    public init(kind: Kind, repetitions: UInt8, seconds: UInt16, isOn: Bool = true) {
        self.kind = kind
        self.repetitions = repetitions
        self.seconds = seconds
        self.isOn = isOn
    }
}

/// What is done in which order and for how long.
public struct Routine: Sendable, Equatable {
    public var steps: [RoutineStep]

    public init(steps: [RoutineStep]) { self.steps = steps }

    /// That of Great Teeth: four quarters of 30 s, floss 60 s, rinse 30 s.
    public static let original = Routine(steps: [
        RoutineStep(kind: .brush, repetitions: 4, seconds: 30),
        RoutineStep(kind: .floss, repetitions: 1, seconds: 60),
        RoutineStep(kind: .rinse, repetitions: 1, seconds: 30),
    ])
}
