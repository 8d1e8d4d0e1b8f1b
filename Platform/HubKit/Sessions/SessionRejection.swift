import Localization
import Wire

/// What is said about bytes that are no session, of whichever companion, to whoever delivered them: what is wrong, and
/// what to do. What sessions of one companion alone can be wrong in, that companion says.
public enum SessionRejection {
    /// The session has no identifier.
    public static let id = LocalizedText("This session has no id. A session has one of 16 bytes, made at random.")
    /// It is nobody's.
    public static let person = LocalizedText("This session does not say whose it is.")
    /// Its offset from UTC is that of no place.
    public static let utcOffset =
        LocalizedText("This session says to be from a time zone that there is nowhere. Look at the device’s clock.")
    /// Its first event is no start.
    public static let doesNotBegin = LocalizedText(
        "This session has no beginning: the first thing in it must be its start.")

    /// The bytes cannot be opened.
    ///
    /// - Parameter unrecognized: says that they are none of the companion’s sessions.
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

    /// An event is of a kind that a later page may know.
    public static func unknownKind(_ index: Int) -> LocalizedText {
        LocalizedText(
            "\(event(index)) is of a kind that this hub does not know. Update the hub, then it can be delivered.")
    }

    /// An event comes when the session was over.
    public static func afterEnd(_ index: Int) -> LocalizedText {
        LocalizedText("\(event(index)) comes after the end of the session.")
    }

    /// An event by its place, from 0: people count from one.
    public static func event(_ index: Int) -> LocalizedText { LocalizedText("Event \(index + 1) of this session") }
}
