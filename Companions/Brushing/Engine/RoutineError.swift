/// The reason why a routine is invalid; the number is what the page receives.
public enum RoutineError: UInt8, Error, Sendable, Equatable, CaseIterable {
    /// No steps.
    case noSteps = 1
    /// More steps than ``Routine/Limits/steps``.
    case tooManySteps = 2
    /// A step is repeated never, or more often than ``Routine/Limits/repetitions``.
    case repetitions = 3
    /// A step takes no time, or less.
    case negativeDuration = 4
    /// A step is shorter or longer than ``Routine/Limits/seconds``.
    case duration = 5
    /// All steps are off.
    case nothingOn = 6
    /// A step of a kind that this version does not know.
    case unknownKind = 7
    /// Bytes that are not a routine: too few, too many, or a switch that is neither on nor off.
    case malformed = 8
}
