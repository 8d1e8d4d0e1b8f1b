import Wire

/// A routine: its steps with their order and duration.
public struct Routine: Sendable, Equatable {
    /// The steps, in their order.
    public var steps: [RoutineStep]

    /// Creates a routine without checking it, see ``check()``.
    public init(steps: [RoutineStep]) { self.steps = steps }

    /// The routine of Great Teeth: four quarters of 30 s, floss 60 s, rinse 30 s. The order of the quarters is a
    /// setting of its own, here and in the presets: ``ordered(_:)``.
    public static let original = Routine(quarterSeconds: 30, hasRest: true)

    /// A preset of one, two or three minutes of brushing only, so that choosing two minutes means two minutes; floss
    /// and rinse can be switched on. Nil for other numbers.
    public static func preset(minutes: Int) -> Routine? {
        guard (1...3).contains(minutes) else { return nil }
        return Routine(quarterSeconds: minutes * 15, hasRest: false)
    }

    private init(quarterSeconds: Int, hasRest: Bool) {
        steps = [
            RoutineStep(kind: .brush, repetitions: 4, seconds: quarterSeconds),
            RoutineStep(kind: .floss, repetitions: 1, seconds: 60, isOn: hasRest),
            RoutineStep(kind: .rinse, repetitions: 1, seconds: 30, isOn: hasRest),
        ]
    }

    /// The limits of a routine.
    public enum Limits {
        /// The number of steps, on and off together.
        public static let steps = 1...8
        /// The number of repetitions of a step.
        public static let repetitions = 1...8
        /// The duration of a repetition, in seconds: longer than ten minutes is a slip of the finger.
        public static let seconds = 5...600
    }

    /// Checks that it is within ``Limits``; this includes steps that are off, which may be switched on.
    public func check() throws(RoutineError) {
        guard steps.count >= Limits.steps.lowerBound else { throw .noSteps }
        guard steps.count <= Limits.steps.upperBound else { throw .tooManySteps }
        var isAnyOn = false
        for step in steps {
            guard Limits.repetitions.contains(step.repetitions) else { throw .repetitions }
            guard step.seconds > 0 else { throw .negativeDuration }
            guard Limits.seconds.contains(step.seconds) else { throw .duration }
            if step.isOn { isAnyOn = true }
        }
        guard isAnyOn else { throw .nothingOn }
    }

    /// The planned time of all steps that are on.
    public var plannedMilliseconds: Int64 {
        var sum: Int64 = 0
        for step in steps where step.isOn { sum = sum.plusClamped(step.plannedMilliseconds) }
        return sum
    }

    /// The repetitions of all steps that are on, in order.
    public var segments: [RoutineSegment] {
        var segments: [RoutineSegment] = []
        for (index, step) in steps.enumerated() where step.isOn {
            for repetition in 0..<max(step.repetitions, 0) {
                segments.append(
                    RoutineSegment(
                        stepIndex: index, kind: step.kind, repetition: repetition + 1, repetitions: step.repetitions,
                        milliseconds: Int64(step.seconds) * 1_000,
                        place: step.quarters.place(of: repetition, in: step.repetitions)))
            }
        }
        return segments
    }

    /// The order of the quarters of the first brushing step; nil without one.
    public var quarters: QuarterOrder? {
        for step in steps where step.kind == .brush { return step.quarters }
        return nil
    }

    /// The routine with the quarters in another order.
    public func ordered(_ quarters: QuarterOrder) -> Routine {
        var routine = self
        for index in routine.steps.indices where routine.steps[index].kind == .brush {
            routine.steps[index].quarters = quarters
        }
        return routine
    }
}

/// One repetition of a step.
public struct RoutineSegment: Sendable, Equatable {
    /// The index of its step among all steps of the routine.
    public let stepIndex: Int
    /// The kind of its step.
    public let kind: RoutineStep.Kind
    /// The number of the repetition, from 1.
    public let repetition: Int
    /// The number of repetitions of the step.
    public let repetitions: Int
    /// The planned duration, in milliseconds.
    public let milliseconds: Int64
    /// The place in the mouth: ``QuarterOrder/place(of:in:)``.
    public let place: Int
}
