/// A session as a screen shows it at one moment.
public struct SessionView: Sendable, Equatable {
    /// The index of the current segment; their count when all are done.
    public let segmentIndex: Int
    /// The index of its step among all steps of the routine; after the last segment, that of the last step.
    public let stepIndex: Int
    /// The kind of the current step.
    public let kind: RoutineStep.Kind
    /// The number of the repetition, from 1.
    public let repetition: Int
    /// The number of repetitions of the step.
    public let repetitions: Int
    /// The place in the mouth: ``RoutineSegment/place``.
    public let place: Int
    /// The remaining time of the repetition, in milliseconds.
    public let remainingMilliseconds: Int64
    /// The completed part of the repetition, in parts of 65,536.
    public let fraction: Int64
    /// Whether the session is paused.
    public let isPaused: Bool
    /// Whether the session is over: completed, stopped or abandoned.
    public let isDone: Bool
    /// The time spent on the whole routine in milliseconds, without what was skipped.
    public let elapsedMilliseconds: Int64
    /// The planned time of the whole routine, in milliseconds.
    public let plannedMilliseconds: Int64

    init(_ state: SessionState) {
        segmentIndex = state.index
        let shown = min(state.index, state.segments.count - 1)
        let segment = state.segments[shown]
        stepIndex = segment.stepIndex
        kind = segment.kind
        repetition = segment.repetition
        repetitions = segment.repetitions
        place = segment.place
        let isThrough = state.index == state.segments.count
        remainingMilliseconds = isThrough ? 0 : segment.milliseconds - state.done[shown]
        fraction = isThrough ? 65_536 : state.done[shown] * 65_536 / segment.milliseconds
        isDone = state.end != nil
        isPaused = state.isPaused && !isDone
        elapsedMilliseconds = state.milliseconds(of: nil)
        plannedMilliseconds = state.planned(of: nil)
    }
}
