import Wire

/// The wall clock of a session's events: UTC, milliseconds, by the player's device.
///
/// The time of an event leaves absences out. The length of an absence is reported by the page that comes back, and
/// counts from there on; a clock that was put back meanwhile does not run backwards.
struct WallClock {
    private let startedAt: Int64
    private var time: Int64 = 0
    private var away: Int64 = 0

    init(startedAt: Int64) { self.startedAt = startedAt }

    /// The time of the last event, or of the start.
    var milliseconds: Int64 { startedAt.plusClamped(time).plusClamped(away) }

    mutating func pass(_ event: SessionEvent) {
        time = event.atMicroseconds / 1_000
        if case .opened(let wall) = event.input {
            away = max(away, wall.minusClamped(startedAt).minusClamped(time))
        }
    }
}

extension DrumSession {
    /// The time of each event, in their order: ``wallMilliseconds(ofEvent:)`` of all, in one pass.
    public var wallMilliseconds: [Int64] {
        var clock = WallClock(startedAt: current.startedWall)
        var times: [Int64] = []
        times.reserveCapacity(events.count)
        for event in events {
            clock.pass(event)
            times.append(clock.milliseconds)
        }
        return times
    }
}
