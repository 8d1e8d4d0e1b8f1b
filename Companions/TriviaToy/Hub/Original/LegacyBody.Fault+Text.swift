import Localization
import TriviaToyEngine

extension LegacyBody.Fault {
    /// The text that the original's app shows in its alert.
    var text: LocalizedText {
        switch self {
        case .notAnObject: LocalizedText("The request could not be read.")
        case .missing(.email): LocalizedText("Please enter your email address.")
        case .missing(.password): LocalizedText("Please enter your password.")
        case .missing(.username): LocalizedText("Please enter a user name.")
        case .missing: LocalizedText("Something is missing in the request.")
        case .badVote: LocalizedText("A vote is 1, -1 or 0.")
        case .badNumber: LocalizedText("That number is not known here.")
        case .tooLong: LocalizedText("That is too long.")
        }
    }
}
