import Wire

/// One part of brushing one's teeth.
public struct RoutineStep: Sendable, Equatable {
    /// The kind of a step; the number is that of the codec.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Brushing with toothpaste, a quarter of the mouth in each repetition.
        case brush = 0
        /// Cleaning between the teeth.
        case floss = 1
        /// Spitting out; with water only for those who want it.
        case rinse = 2
    }

    /// The kind.
    public var kind: Kind
    /// The number of repetitions, such as four quarters of the mouth.
    public var repetitions: Int
    /// The duration of each repetition, in seconds.
    public var seconds: Int
    /// Whether the step is on. One that is off keeps its numbers.
    public var isOn: Bool
    /// The order of the quarters of a brushing step; others have none.
    public var quarters: QuarterOrder

    /// Creates a step without checking it, see ``Routine/check()``.
    public init(kind: Kind, repetitions: Int, seconds: Int, isOn: Bool = true, quarters: QuarterOrder = .around) {
        self.kind = kind
        self.repetitions = repetitions
        self.seconds = seconds
        self.isOn = isOn
        self.quarters = quarters
    }

    /// The planned time of all repetitions in milliseconds, whether it is on or off.
    public var plannedMilliseconds: Int64 {
        Int64(repetitions).timesClamped(Int64(seconds)).timesClamped(1_000)
    }
}
