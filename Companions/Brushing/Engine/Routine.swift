import Wire

/// What is done in which order and for how long.
public struct Routine: Sendable, Equatable {
    /// In the order in which they are done.
    public var steps: [RoutineStep]

    /// Steps as they are given, checked by nobody yet: see ``check()``.
    public init(steps: [RoutineStep]) { self.steps = steps }

    /// That of Great Teeth: four quarters of 30 s, floss 60 s, rinse 30 s. In which order the quarters come is a setting of
    /// its own, here and in the presets: ``ordered(_:)``.
    public static let original = Routine(quarterSeconds: 30, hasRest: true)

    /// One, two or three minutes of brushing and nothing else, so that who chooses two minutes stands there for two
    /// minutes; floss and rinse are there to be switched on. For nil there is no such preset.
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

    /// What a routine may be made of.
    public enum Limits {
        /// How many steps, on and off together.
        public static let steps = 1...8
        /// How often a step is done in a row.
        public static let repetitions = 1...8
        /// How long each time: shorter is no step, longer than ten minutes is a slip of the finger.
        public static let seconds = 5...600
    }

    /// Whether it is within ``Limits``; a step that is off is held to them too, for it may be switched on.
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

    /// The time of all steps that are on.
    public var plannedMilliseconds: Int64 {
        var sum: Int64 = 0
        for step in steps where step.isOn { sum = sum.plusClamped(step.plannedMilliseconds) }
        return sum
    }

    /// Each repetition of each step that is on, one after the other.
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

    /// The order of the quarters of what is brushed first; nil without a brush.
    public var quarters: QuarterOrder? {
        for step in steps where step.kind == .brush { return step.quarters }
        return nil
    }

    /// The same with the quarters in another order.
    public func ordered(_ quarters: QuarterOrder) -> Routine {
        var routine = self
        for index in routine.steps.indices where routine.steps[index].kind == .brush {
            routine.steps[index].quarters = quarters
        }
        return routine
    }
}

/// One repetition of a step: what a person does in one go.
public struct RoutineSegment: Sendable, Equatable {
    /// Its step's place among all steps of the routine, from 0.
    public let stepIndex: Int
    /// What is done.
    public let kind: RoutineStep.Kind
    /// Which repetition, from 1.
    public let repetition: Int
    /// Of how many.
    public let repetitions: Int
    /// How long it is planned to take.
    public let milliseconds: Int64
    /// Where in the mouth it is brushed: ``QuarterOrder/place(of:in:)``.
    public let place: Int
}
