/// How much of its sessions a companion has kept while they go on, and how long the hub waits for them.
public struct ActiveSessionLimits: Sendable {
    /// The most bytes of one session.
    public var sessionBytes: Int
    /// The most bytes of one request. The first of a session holds all that says whose it is.
    public var chunkBytes = 262_144
    /// Chunks smaller than this are joined in one row with what comes next: so much is written anew at most.
    public var rowBytes = 16_384
    /// Sessions that go on at once in a household: each person's, some times over.
    public var perHousehold = 64
    /// The most bytes of them all, in a household.
    public var householdBytes = 268_435_456
    /// Sessions of one person on one day of the companion's.
    public var perDay: Int
    /// How long a session may stand still until the hub closes it, milliseconds.
    public var patienceMilliseconds: Int64
    /// The most times that storing a session is tried, one after the other: with the pauses between them, over two hours.
    public var tries = 8
    /// How long the hub waits after the first try that failed, milliseconds; then twice as long each time.
    public var firstPauseMilliseconds: Int64 = 60_000
    /// How often a request that was prepared is prepared again, because what it was prepared for has changed meanwhile.
    public var preparations = 8

    public init(sessionBytes: Int, perDay: Int, patienceMilliseconds: Int64) {
        self.sessionBytes = sessionBytes
        self.perDay = perDay
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// How long the hub waits after so many tries that failed, milliseconds.
    func pause(afterTries count: Int) -> Int64 { firstPauseMilliseconds << Int64(min(max(count, 1), tries) - 1) }
}
