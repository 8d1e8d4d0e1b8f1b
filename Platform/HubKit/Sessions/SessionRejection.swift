import Wire

/// What is said about bytes that are no session, of whichever companion, to whoever delivered them: what is wrong, and
/// what to do. What sessions of one companion alone can be wrong in, that companion says.
public enum SessionRejection {
    /// The session has no identifier.
    public static let id = "This session has no id. A session has one of 16 bytes, made at random."
    /// It is nobody's.
    public static let person = "This session does not say whose it is."
    /// Its offset from UTC is that of no place.
    public static let utcOffset =
        "This session says to be from a time zone that there is nowhere. Look at the device’s clock."
    /// Its first event is no start.
    public static let doesNotBegin = "This session has no beginning: the first thing in it must be its start."

    /// The bytes cannot be opened.
    ///
    /// - Parameter kind: what they were to be: `drum session`.
    public static func message(_ failure: SealError, kind: String) -> String {
        switch failure {
        case .unrecognized: "This is no \(kind). A session is sent as the page made it, byte for byte."
        case .newerVersion:
            "This session was made by a newer page than this hub knows. Update the hub, then it can be delivered."
        case .cutOff: "This session ends in the middle: a part of it did not arrive. Send it again, whole."
        case .trailingBytes: "There is something behind the end of this session. Send it alone, as the page made it."
        case .damaged:
            "This session was damaged or changed on its way: its checksum does not fit. Send it again as it was made."
        }
    }

    /// An event is of a kind that a later page may know.
    public static func unknownKind(_ index: Int) -> String {
        "\(event(index)) is of a kind that this hub does not know. Update the hub, then it can be delivered."
    }

    /// An event comes when the session was over.
    public static func afterEnd(_ index: Int) -> String { "\(event(index)) comes after the end of the session." }

    /// An event by its place, from 0: people count from one.
    public static func event(_ index: Int) -> String { "Event \(index + 1) of this session" }
}
