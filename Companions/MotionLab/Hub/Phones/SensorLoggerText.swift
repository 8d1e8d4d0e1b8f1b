import HubKit
import Localization
import MotionLabEngine

/// The words that Sensor Logger shows to whoever is recording, where the lab cannot use what it sends: the app shows
/// the text of an answer with status 499.
enum SensorLoggerText {
    /// The words about a token with which nobody may send.
    static let unknownToken = LocalizedText(
        "Tandem does not know this phone. Copy the address with its token again, from the lab’s page.")

    /// The words about a message of which nothing could be used.
    static func refused(_ error: SensorLoggerError) -> LocalizedText {
        switch error {
        case .json(let offset):
            LocalizedText(
                "What arrived is not the app’s JSON, from byte \(offset) on. Choose JSON in the app, and put nothing between the phone and Tandem."
            )
        case .tooLarge:
            LocalizedText("One message was too large. Choose a shorter batch period in the app, such as one second.")
        case .shape:
            LocalizedText("This is JSON, but no message of Sensor Logger: it has no list called “payload”.")
        case .tooManyReadings(let most):
            LocalizedText(
                "One message had more than \(most) readings. Choose a shorter batch period in the app, such as one second."
            )
        case .identifierTooLong:
            LocalizedText("The name of this recording is too long for Tandem. Start a new recording.")
        case .times:
            LocalizedText(
                "The times of all readings are wrong: they must be nanoseconds since 1970. Look at the clock of this phone."
            )
        case .axes:
            LocalizedText("Every reading lacks an axis, so nothing could be stored. Update Sensor Logger.")
        case .readings:
            LocalizedText("No reading has a name, a time and values, so nothing could be stored. Update Sensor Logger.")
        }
    }
}
