extension DrumSession {
    /// A beat of a file, or a rest that has an answer nevertheless.
    public struct ImportedBeat: Sendable, Equatable {
        /// The step of the chart, from 0.
        public var step: Int
        /// The text that the kit sent, without `END`.
        public var text: [UInt8]
        /// The time of the answer, since the start.
        public var atMicroseconds: Int64

        /// A beat as the file has it.
        public init(step: Int, text: [UInt8], atMicroseconds: Int64) {
            self.step = step
            self.text = text
            self.atMicroseconds = atMicroseconds
        }
    }

    /// The session of a file's beats, finished after the last: the result of ``handle(_:atMicroseconds:)`` on the same
    /// inputs, in a time that grows with the song and not with its square. Beats that make no sense are left out.
    ///
    /// - Parameters:
    ///   - wall: the start, UTC milliseconds.
    ///   - beats: the earliest first.
    /// - Throws: for a setup that cannot be played.
    public static func imported(_ setup: SessionSetup, wall: Int64, beats: [ImportedBeat]) throws(SessionCodecError)
        -> DrumSession
    {
        var session = try DrumSession(setup: setup)
        _ = session.handle(.start(wall: wall), atMicroseconds: 0)
        session.reserve(events: beats.count + 2)
        for beat in beats {
            session.takeImported(step: beat.step, text: beat.text, atMicroseconds: beat.atMicroseconds)
        }
        session.endImport()
        _ = session.handle(.finish, atMicroseconds: beats.last?.atMicroseconds ?? 0)
        return session
    }
}
