import Wire

/// One part of brushing one's teeth.
public struct RoutineStep: Sendable, Equatable {
    /// What is done in it; the number is that of the codec.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// With a brush and toothpaste, a quarter of the mouth a repetition.
        case brush = 0
        /// Between the teeth.
        case floss = 1
        /// Spitting out; with water only for those who want it.
        case rinse = 2
    }

    /// What is done.
    public var kind: Kind
    /// How often in a row: four quarters of the mouth.
    public var repetitions: Int
    /// Of each repetition.
    public var seconds: Int
    /// A step that is off keeps its numbers.
    public var isOn: Bool
    /// Of a step with the brush; others have no quarters.
    public var quarters: QuarterOrder

    /// Numbers as they are given: see ``Routine/check()``.
    public init(kind: Kind, repetitions: Int, seconds: Int, isOn: Bool = true, quarters: QuarterOrder = .around) {
        self.kind = kind
        self.repetitions = repetitions
        self.seconds = seconds
        self.isOn = isOn
        self.quarters = quarters
    }

    /// All its repetitions together, whether it is on or off.
    public var plannedMilliseconds: Int64 {
        Int64(repetitions).timesClamped(Int64(seconds)).timesClamped(1_000)
    }
}
