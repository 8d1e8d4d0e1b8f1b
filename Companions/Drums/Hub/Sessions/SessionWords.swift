import DrumsEngine

/// What is said about bytes that are no session, to whoever delivered them: what is wrong, and what to do.
enum SessionWords {
    static func refused(_ error: SessionCodecError) -> String {
        switch error {
        case .notASession: "This is no drum session. A session is sent as the page made it, byte for byte."
        case .newerVersion:
            "This session was made by a newer page than this hub knows. Update the hub, then it can be delivered."
        case .cutOff: "This session ends in the middle: a part of it did not arrive. Send it again, whole."
        case .trailingBytes: "There is something behind the end of this session. Send it alone, as the page made it."
        case .damaged:
            "This session was damaged or changed on its way: its checksum does not fit. Send it again as it was made."
        case .id: "This session has no id. A session has one of 16 bytes, made at random."
        case .person: "This session does not say whose it is."
        case .utcOffset: "This session says to be from a time zone that there is nowhere. Look at the device’s clock."
        case .song: "The song of this session has no name that can be kept, or one that is too long."
        case .chart:
            "The song of this session cannot be played: it has no beat, more than \(DrumSession.Limits.steps) steps or \(DrumSession.Limits.beats) beats, more than \(DrumSession.Limits.minutes) minutes, or a tempo that nobody plays."
        case .setting:
            "This session was set up in a way that this hub does not know. Update the hub, then it can be delivered."
        case .noDrum: "No drum is active in this session, so there was nothing to hit."
        case .window: "The timing window of this session is wider or farther from the beat than any that is used."
        case .tooManyEvents:
            "This session has more than \(DrumSession.Limits.events) events, and no song takes as many."
        case .unknownKind(let index):
            "\(event(index)) is of a kind that this hub does not know. Update the hub, then it can be delivered."
        case .doesNotBegin: "This session has no beginning: the first thing in it must be its start."
        case .outOfOrder(let index):
            "\(event(index)) cannot come where it is. The events of a session stand in the order in which they happened."
        case .afterEnd(let index): "\(event(index)) comes after the end of the session."
        case .event(let index): "\(event(index)) holds what there is not: a drum, a link, a step or a message."
        }
    }

    /// People count from one.
    private static func event(_ index: Int) -> String { "Event \(index + 1) of this session" }
}
