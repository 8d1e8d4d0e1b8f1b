/// One session of one person: a song played once, from "start" to its result.
public struct DrumSession: Sendable {
    /// Of the rules in this build. Raised when the same events would come to another result.
    public static let engineVersion: UInt16 = 1

    /// What a session may hold.
    public enum Limits {
        /// Steps of a chart.
        public static let steps = 4_096
        /// Beats of a chart: steps that are hit.
        public static let beats = 1_500
        /// Changes of a chart's tempo, the first among them.
        public static let tempoChanges = 64
        /// Minutes of a chart.
        public static let minutes: Int64 = 30
        /// Events, all together.
        public static let events = 6_000
        /// Bytes of a notification.
        public static let message = 20
        /// Bytes of a beat of another system.
        public static let importedText = 200
        /// Bytes of a session's identifier.
        public static let id = 16
        /// Bytes of a person's identifier.
        public static let person = 1...40
        /// Bytes of a song's identifier.
        public static let songID = 1...40
        /// Bytes of a song's title.
        public static let songTitle = 0...80
        /// Minutes east of Greenwich: no place is a day away.
        public static let utcOffsetMinutes: ClosedRange<Int16> = -1_080...1_080
        /// The largest session there can be: what a server reads at most.
        public static let bytes = 200_000
    }

    public let setup: SessionSetup
    public let recordedVersion: UInt16
    public private(set) var events: [SessionEvent] = []
    public private(set) var claim: SessionClaim?

    public init(setup: SessionSetup) throws(SessionCodecError) {
        self.setup = setup
        recordedVersion = Self.engineVersion
    }

    public mutating func handle(_ input: SessionInput, atMicroseconds: Int64) -> SessionOutput { [] }
    public var end: SessionEnd? { nil }
    public var isLinkLost: Bool { false }
    public var claimDiffers: Bool { false }
    public var view: SessionView {
        SessionView(
            isRunning: false, isPaused: false, isWaiting: false, isLinkLost: false, end: nil, cueStep: nil, cueDrum: nil,
            isCueShown: false, beatsDone: 0, beatsAsked: 0, beatCount: 0, right: 0, lastBeat: nil, link: setup.link,
            practisedMilliseconds: 0, songMicroseconds: 0, floorMicroseconds: 0, anchorMicroseconds: nil,
            horizonMicroseconds: 0, endMicroseconds: 0)
    }
    public var result: SessionResult {
        SessionResult(
            startedAt: 0, endedAt: 0, milliseconds: 0, beats: [], answered: 0, right: 0, judged: 0, reaction: nil,
            implausible: 0, force: nil, latency: nil, waits: 0, lostMilliseconds: 0, stray: 0, end: nil)
    }
    public func upcoming(_ count: Int) -> [UpcomingBeat] { [] }
    public func songMicroseconds(atMicroseconds: Int64) -> Int64 { 0 }
    public func wallMilliseconds(ofEvent index: Int) -> Int64 { 0 }
    public func isContinuation(of other: DrumSession) -> Bool { false }
    public func encoded() -> [UInt8] { [] }
    public static func decoded(_ bytes: [UInt8]) throws(SessionCodecError) -> DrumSession { throw .notASession }
}
