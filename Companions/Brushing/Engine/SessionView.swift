/// What a screen shows of a session at one moment.
public struct SessionView: Sendable, Equatable {
    /// The segment under way, from 0; the count of all when they are through.
    public let segmentIndex: Int
    /// Its step's place among all steps of the routine, from 0. After the last segment: that of the last.
    public let stepIndex: Int
    /// What is being done.
    public let kind: RoutineStep.Kind
    /// Which repetition, from 1.
    public let repetition: Int
    /// Of how many.
    public let repetitions: Int
    /// Where in the mouth that is: ``RoutineSegment/place``.
    public let place: Int
    /// What is left of the repetition.
    public let remainingMilliseconds: Int64
    /// What has been done of the repetition, parts of 65,536.
    public let fraction: Int64
    /// Whether time stands still.
    public let isPaused: Bool
    /// Whether the session is over: through, stopped or left.
    public let isDone: Bool
    /// What has been done of the whole routine; what was skipped is not in it.
    public let elapsedMilliseconds: Int64
    /// What the whole routine takes.
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
