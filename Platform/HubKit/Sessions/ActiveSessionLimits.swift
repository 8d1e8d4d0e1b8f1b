/// The limits for sessions that are being recorded, and for how long the hub waits for them to continue.
public struct ActiveSessionLimits: Sendable {
    /// The size of one session, in bytes.
    public var sessionBytes: Int
    /// The size of one request, in bytes. The first one of a session must contain its origin.
    public var chunkBytes = 262_144
    /// The size, in bytes, below which a stored chunk is extended by the next one in the same row. Appending rewrites
    /// no more than this.
    public var rowBytes = 16_384
    /// The number of active sessions in a household: several for each person.
    public var perHousehold = 64
    /// The size of all active sessions in a household, in bytes.
    public var householdBytes = 268_435_456
    /// The number of sessions of one person on one day, see ``SessionDefinition/day(of:)``.
    public var perDay: Int
    /// The time after which the hub closes a session that has not grown, in milliseconds.
    public var patienceMilliseconds: Int64
    /// The number of attempts to store a session; with the pauses between them they take more than two hours.
    public var tries = 8
    /// The pause after the first failed attempt, in milliseconds; it doubles with each further one.
    public var firstPauseMilliseconds: Int64 = 60_000
    /// The number of times that a request is prepared again because the data it was prepared for changed meanwhile.
    public var preparations = 8

    /// Creates limits with the defaults for the others.
    ///
    /// - Parameters:
    ///   - sessionBytes: the size of one session, in bytes.
    ///   - perDay: the number of sessions of one person on one day.
    ///   - patienceMilliseconds: the time after which the hub closes a session that has not grown.
    public init(sessionBytes: Int, perDay: Int, patienceMilliseconds: Int64) {
        self.sessionBytes = sessionBytes
        self.perDay = perDay
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// The pause after some number of failed attempts, in milliseconds.
    func pause(afterTries count: Int) -> Int64 { firstPauseMilliseconds << Int64(min(max(count, 1), tries) - 1) }
}
