/// The constants of the rules of a session.
public enum SessionRules {
    /// The fastest reaction, milliseconds, that a person can have to a light: a faster one counts as answered, and is
    /// left out of every statistic of reaction times.
    public static let leastReaction: Int32 = 150
    /// Whether a person can have a reaction of so many milliseconds; false where there is none.
    public static func isPlausible(reactionMilliseconds: Int32?) -> Bool {
        reactionMilliseconds.map { $0 >= leastReaction } ?? false
    }
    /// The longest reaction, milliseconds, that a kit can tell.
    public static let longestReaction: Int32 = 600_000
    /// The longest absence, milliseconds, after which a session can go on: with its page closed, or open and nothing
    /// done.
    public static let longestAbsence: Int64 = 1_800_000
    /// The most milliseconds of one wait for an answer that count as practice: a child that went for a drink practises
    /// nothing.
    public static let longestCountedWait: Int64 = 60_000
    /// The most milliseconds from a lit drum on that count as practice without a hit, on whichever drum, in flow mode.
    ///
    /// The song goes on by itself, and a page that lies on the table would practise all afternoon. Half a minute is
    /// longer than a child takes to find the beat again, or to look up, and shorter than leaving the room; a rest of
    /// the music counts in full, since nothing is lit in it. What was counted is not taken back: the minutes on the
    /// screen, and the rule of a plan that ends a session by them, never run backwards.
    public static let longestIdle: Int64 = 30_000
    /// The least time, milliseconds, between the answer that the song waited for, or a press of "go on", and the moment
    /// at which it moves again: a hand must come back from the drum, and a player of sound needs notice.
    public static let leastBreath: Int64 = 300
    /// The least gap, milliseconds, between beats for one hand; closer ones are left out: the hand has to travel from
    /// one side of the kit to the other, where two hands need not.
    public static let oneHandedGap: Int64 = 600
    /// The time, milliseconds, for which a beat stays open in flow mode, where no other comes before. A hit that late
    /// still tells of this player's timing; a later one answers nothing.
    public static let openAfterBeat: Int64 = 1_000
    /// The milliseconds before a stroke in which a weaker one of another drum is crosstalk: the shock takes a few from pad to
    /// pad, and a hand takes longer from drum to drum.
    public static let usualCrosstalkMilliseconds: UInt8 = 20
    /// The longest such time that can be chosen, milliseconds: a hand can be as fast from one pad to the next.
    public static let crosstalkMilliseconds: UInt8 = 100
    /// The velocity that crosstalk has at most, percent of the stroke's. What was reported is a velocity of 12, 3 ms before
    /// the stroke.
    public static let usualCrosstalkPercent: UInt8 = 40
    /// The milliseconds by which a kit's reaction time may exceed the time since the cue: the two clocks are not one,
    /// and a page may learn late that its cue went out. A longer time was measured from an earlier cue.
    public static let clockTolerance: Int64 = 250
    /// The range of the timing window's centre, milliseconds.
    public static let windowCentre: ClosedRange<Int16> = -150...150
    /// The range of half of the timing window's width, milliseconds.
    public static let windowHalf: ClosedRange<UInt16> = 70...350
    /// The range of the time, milliseconds, before its beat at which a drum may be lit in flow mode.
    public static let lead: ClosedRange<UInt16> = 100...3_000
    /// The usual time, milliseconds, before its beat at which a drum is lit: a median reaction of these hands and
    /// something to spare.
    public static let usualLead: UInt16 = 600
    /// The range of the beats of the count-in before the first step.
    public static let countInBeats: ClosedRange<UInt8> = 0...8
    /// The range of a beat, microseconds: 600 beats a minute to 15.
    public static let microsecondsPerBeat: ClosedRange<UInt32> = 100_000...4_000_000
    /// The range of a song's tempo, percent of the tempo as written.
    public static let tempoPercent: ClosedRange<UInt8> = 50...120
    /// The tempo as written, in percent.
    public static let ownTempo: UInt8 = 100
    /// The range of the number of beats that the rule of a plan looks at.
    public static let stopBeats: ClosedRange<UInt8> = 5...40
}
