import Localization
import Wire

/// The messages about bytes that are not a session, for the person who delivered them: what is wrong and what to do.
/// They are the same for all companions; a companion adds its own for its own rules.
public enum SessionRejection {
    /// The session has no identifier.
    public static let id = LocalizedText("This session has no id. A session has one of 16 bytes, made at random.")
    /// The session has no person.
    public static let person = LocalizedText("This session does not say whose it is.")
    /// The session's offset from UTC is that of no place.
    public static let utcOffset =
        LocalizedText("This session says to be from a time zone that there is nowhere. Look at the device’s clock.")
    /// The session's first event is not its start.
    public static let doesNotBegin = LocalizedText(
        "This session has no beginning: the first thing in it must be its start.")

    /// The bytes cannot be opened.
    ///
    /// - Parameters:
    ///   - failure: the error.
    ///   - unrecognized: the message for bytes that are not one of the companion’s sessions.
    public static func message(_ failure: SealError, unrecognized: LocalizedText) -> LocalizedText {
        switch failure {
        case .unrecognized: unrecognized
        case .newerVersion:
            LocalizedText(
                "This session was made by a newer page than this hub knows. Update the hub, then it can be delivered.")
        case .cutOff:
            LocalizedText("This session ends in the middle: a part of it did not arrive. Send it again, whole.")
        case .trailingBytes:
            LocalizedText("There is something behind the end of this session. Send it alone, as the page made it.")
        case .damaged:
            LocalizedText(
                "This session was damaged or changed on its way: its checksum does not fit. Send it again as it was made."
            )
        }
    }

    /// An event is of a kind that only a newer page may know.
    public static func unknownKind(_ index: Int) -> LocalizedText {
        LocalizedText(
            "\(event(index)) is of a kind that this hub does not know. Update the hub, then it can be delivered.")
    }

    /// An event comes after the end of the session.
    public static func afterEnd(_ index: Int) -> LocalizedText {
        LocalizedText("\(event(index)) comes after the end of the session.")
    }

    /// The name of an event by its index from 0; people count from one.
    public static func event(_ index: Int) -> LocalizedText { LocalizedText("Event \(index + 1) of this session") }
}
