import HubKit
import Localization
import MotionLabEngine

/// The words about experiment files.
enum ExperimentText {
    /// The title of a built-in experiment; nil for another.
    static func title(ofBuiltIn slug: String) -> LocalizedText? {
        switch slug {
        case "pendulum": LocalizedText("Pendulum")
        case "free-fall": LocalizedText("Free fall")
        case "lift": LocalizedText("Lift ride")
        case "spin": LocalizedText("Centripetal spin")
        case "room-sound": LocalizedText("Sound of a room")
        default: nil
        }
    }

    /// The words about what is wrong with a file, for whoever wrote it.
    static func refused(_ error: ExperimentError) -> LocalizedText {
        let subject = String(decoding: (error.subject ?? []).prefix(80), as: UTF8.self)
        return switch error {
        case .json(let offset): LocalizedText("This is not JSON from byte \(offset) on.")
        case .tooLarge: LocalizedText("An experiment may have 64 KB at most.")
        case .unrecognized: LocalizedText("An experiment begins with {\"tandemExperiment\": 1, …}.")
        case .newerVersion(let version):
            LocalizedText(
                "This experiment has version \(version) of the format, and this Tandem reads version 1. Update Tandem.")
        case .unknownMember: LocalizedText("“\(subject)” is not known here, or stands twice.")
        case .badMember: LocalizedText("“\(subject)” is missing, or is not what it should be.")
        case .sensor: LocalizedText("There is no sensor “\(subject)”, or it stands twice.")
        case .tooMany: LocalizedText("There are too many of “\(subject)”.")
        case .name:
            LocalizedText(
                "“\(subject)” can be no name, or something else has it. A name is a letter and then letters, digits, _ and points."
            )
        case .formula(_, let failure): refused(failure, in: subject)
        case .plot: LocalizedText("A plot draws “\(subject)”, which is no channel.")
        }
    }

    private static func refused(_ failure: Formula.Failure, in name: String) -> LocalizedText {
        let place = failure.offset + 1
        return switch failure.kind {
        case .unexpectedEnd: LocalizedText("The formula “\(name)” ends too early, at character \(place).")
        case .unexpectedCharacter:
            LocalizedText("The formula “\(name)” has a character that cannot stand there, at character \(place).")
        case .badNumber: LocalizedText("The formula “\(name)” has a number that is none, at character \(place).")
        case .unknownName: LocalizedText("The formula “\(name)” has a name that is not known, at character \(place).")
        case .tooLong: LocalizedText("The formula “\(name)” is longer than \(Formula.Limits.bytes) characters.")
        case .tooDeep: LocalizedText("The formula “\(name)” has too many brackets within brackets.")
        }
    }
}
