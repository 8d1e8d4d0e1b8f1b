import BrushingEngine
import HubKit
import Localization

/// The changes that a request makes to somebody's settings. Fields that are left out stay.
struct SettingsInput: Decodable, Sendable {
    struct Cues: Decodable, Sendable { var sound, vibration, colour: Bool? }

    var routine: RoutineInput?
    var cues: Cues?
    /// Whether children's mode is on; `.some(nil)` lets the age decide.
    var isChildMode: Bool??
    var perDay: Int?
    var quarters: QuarterOrderName?

    private enum CodingKeys: CodingKey { case routine, cues, isChildMode, perDay, quarters }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        routine = try body.decodeIfPresent(RoutineInput.self, forKey: .routine)
        cues = try body.decodeIfPresent(Cues.self, forKey: .cues)
        perDay = try body.decodeIfPresent(Int.self, forKey: .perDay)
        quarters = try body.decodeIfPresent(QuarterOrderName.self, forKey: .quarters)
        if body.contains(.isChildMode) {
            isChildMode = .some(try body.decodeIfPresent(Bool.self, forKey: .isChildMode))
        }
    }

    /// Puts what was decided into somebody's settings.
    ///
    /// - Throws: a 422 problem for what cannot be taken.
    func apply(to settings: inout Settings) throws {
        if let routine { try routine.apply(to: &settings) }
        if let quarters { settings.quarters = quarters.order }
        if let sound = cues?.sound { settings.hasSound = sound }
        if let vibration = cues?.vibration { settings.hasVibration = vibration }
        if let colour = cues?.colour { settings.hasColour = colour }
        if let isChildMode { settings.isChildMode = isChildMode }
        if let perDay {
            guard Settings.perDayChoices.contains(perDay) else {
                throw Problem.field("perDay", "A day is kept by brushing once, twice or three times.")
            }
            settings.perDay = perDay
        }
    }
}

/// A routine in a request: one that comes with Tandem, by its name, or steps of one's own.
struct RoutineInput: Decodable, Sendable {
    struct Step: Decodable, Sendable {
        var kind: String
        var repetitions, seconds: Int
        var isOn: Bool?
    }

    var preset: String?
    var steps: [Step]?

    func apply(to settings: inout Settings) throws {
        switch (preset, steps) {
        case (let name?, nil):
            guard let preset = RoutinePreset(rawValue: name) else {
                throw Problem.field(
                    "preset",
                    "There is no routine “\(String(name.prefix(40)))”. There are: \(RoutinePreset.allCases.map(\.rawValue).listed)."
                )
            }
            settings.use(preset.routine, preset: preset)
        case (nil, let steps?):
            let own = Routine(steps: try steps.map { try $0.checked() })
            do throws(RoutineError) { try own.check() } catch { throw Problem.field("steps", detail: error.message) }
            settings.use(own, preset: nil)
        default:
            throw Problem.field("routine", "A routine is either a preset, by its name, or steps.")
        }
    }
}

extension RoutineInput.Step {
    func checked() throws -> RoutineStep {
        guard let kind = RoutineStep.Kind(name: kind) else {
            throw Problem.field("kind", detail: RoutineError.unknownKind.message)
        }
        return RoutineStep(kind: kind, repetitions: repetitions, seconds: seconds, isOn: isOn ?? true)
    }
}

extension RoutineStep.Kind {
    /// The kind's name in routes.
    var name: String {
        switch self {
        case .brush: "brush"
        case .floss: "floss"
        case .rinse: "rinse"
        }
    }

    init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension RoutineError {
    /// The words about what is wrong with a routine, for whoever made it.
    var message: LocalizedText {
        let limits = Routine.Limits.self
        return switch self {
        case .noSteps: LocalizedText("A routine has at least one step.")
        case .tooManySteps: LocalizedText("A routine has at most \(limits.steps.upperBound.spelled) steps.")
        case .repetitions:
            LocalizedText("A step is done between once and \(limits.repetitions.upperBound.spelled) times in a row.")
        case .negativeDuration: LocalizedText("A step takes some time: at least \(limits.seconds.lowerBound) seconds.")
        case .duration:
            LocalizedText(
                "A step takes between \(limits.seconds.lowerBound) seconds and \((limits.seconds.upperBound / 60).spelled) minutes."
            )
        case .nothingOn: LocalizedText("At least one step has to be on.")
        case .unknownKind: LocalizedText("A step is one of \(RoutineStep.Kind.allCases.map(\.name).listed).")
        case .malformed: LocalizedText("This routine cannot be read. Choose one again.")
        }
    }
}
