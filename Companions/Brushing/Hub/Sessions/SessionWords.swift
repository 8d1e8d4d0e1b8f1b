import BrushingEngine

/// What is said about bytes that are no session, to whoever delivered them: what is wrong, and what to do.
enum SessionWords {
    static func refused(_ error: SessionCodecError) -> String {
        switch error {
        case .notASession: "This is no brushing session. A session is sent as the page made it, byte for byte."
        case .newerVersion:
            "This session was made by a newer page than this hub knows. Update the hub, then it can be delivered."
        case .cutOff: "This session ends in the middle: a part of it did not arrive. Send it again, whole."
        case .trailingBytes: "There is something behind the end of this session. Send it alone, as the page made it."
        case .damaged:
            "This session was damaged or changed on its way: its checksum does not fit. Send it again as it was made."
        case .id: "This session has no id. A session has one of 16 bytes, made at random."
        case .person: "This session does not say whose it is."
        case .utcOffset: "This session says to be from a time zone that there is nowhere. Look at the device’s clock."
        case .negativeDuration: "A step of this session takes no time, or less than none. Nobody can brush like that."
        case .routine(let fault): "The routine of this session cannot be. \(fault.words)"
        case .tooManyEvents:
            "This session has more than \(BrushingSession.Limits.events) events: nobody pauses and goes on as often."
        case .unknownKind(let index):
            "\(event(index)) is of a kind that this hub does not know. Update the hub, then it can be delivered."
        case .doesNotBegin: "This session has no beginning: the first thing in it must be its start."
        case .outOfOrder(let index):
            "\(event(index)) comes before the one in front of it. The events of a session stand in the order in which they happened."
        case .afterEnd(let index): "\(event(index)) comes after the end of the session."
        case .claim: "The result that came with this session cannot be read. Update the hub, then it can be delivered."
        }
    }

    /// People count from one.
    private static func event(_ index: Int) -> String { "Event \(index + 1) of this session" }
}
