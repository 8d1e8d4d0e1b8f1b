// One session that two devices went on with: what their records have in common, and what each holds beyond that.
extension DrumSession {
    /// How many events two records begin with alike; nil where they are not of one session.
    public func commonBeginning(with other: DrumSession) -> Int? {
        guard setup == other.setup, recordedVersion == other.recordedVersion else { return nil }
        let most = min(events.count, other.events.count)
        var count = 0
        while count < most, events[count] == other.events[count] { count += 1 }
        return count > 0 ? count : nil
    }

    /// Whether a pad said anything after so many events. Where none did, nobody played there.
    public func isPlayed(after count: Int) -> Bool {
        for event in events.dropFirst(count) {
            switch event.input {
            case .message, .strike, .imported: return true
            default: break
            }
        }
        return false
    }

    /// Whether a new page took it up after so many events.
    public func isTakenUp(after count: Int) -> Bool {
        for event in events.dropFirst(count) {
            if case .opened = event.input { return true }
        }
        return false
    }

    /// The same events under another identifier.
    ///
    /// - Parameter id: of ``Limits/id`` bytes.
    public func identified(as id: [UInt8]) throws(SessionCodecError) -> DrumSession {
        var setup = setup
        setup.id = id
        var other = try DrumSession(setup: setup, recordedVersion: recordedVersion)
        other.reserve(events: events.count)
        for event in events { other.replay(event, claim: event.input == .finish ? claim : nil) }
        other.endReplay()
        return other
    }
}
