/// The numbers that a session goes by.
public enum SessionRules {
    /// The fastest reaction, milliseconds, that a person can have to a light: what is faster is answered, and left out of
    /// every statistic of reaction times.
    public static let leastReaction: Int32 = 150
    /// The longest reaction, milliseconds, that a kit can tell.
    public static let longestReaction: Int32 = 600_000
    /// The longest absence, milliseconds, that a session goes on after: with its page closed, or open and nothing done.
    public static let longestAbsence: Int64 = 1_800_000
    /// Of one wait for an answer, so many milliseconds count as practice: a child that went for a drink practises nothing.
    public static let longestCountedWait: Int64 = 60_000
    /// Flow mode: from a drum that is lit on, so many milliseconds count as practice without a hit, on whichever drum.
    ///
    /// The song goes on by itself, and a page that lies on the table would practise all afternoon. Half a minute is longer
    /// than a child takes to find the beat again, or to look up, and shorter than leaving the room; a rest of the music
    /// counts in full, since nothing is lit in it. What was counted is not taken back: the minutes on the screen, and the
    /// rule of a plan that ends a session by them, never run backwards.
    public static let longestIdle: Int64 = 30_000
    /// The least time, milliseconds, between the answer that the song waited for, or a press of "go on", and the moment
    /// at which it moves again: a hand must come back from the drum, and a player of sound needs notice.
    public static let leastBreath: Int64 = 300
    /// Beats closer than this, milliseconds, to the one before are left out for one hand alone: it has to travel from one
    /// side of the kit to the other, where two hands need not.
    public static let oneHandedGap: Int64 = 600
    /// Flow mode: how long after its time a beat stays open, milliseconds, where no other comes before. A hit that late
    /// still tells of this player's timing; what comes later answers nothing.
    public static let openAfterBeat: Int64 = 1_000
    /// A kit's reaction time may be longer than what has passed since the cue by so many milliseconds: the two clocks are
    /// not one, and a page may learn late that its cue went out. What is longer still was measured from an earlier cue.
    public static let clockTolerance: Int64 = 250
    /// Where the timing window's centre may lie.
    public static let windowCentre: ClosedRange<Int16> = -150...150
    /// How wide half of the timing window may be.
    public static let windowHalf: ClosedRange<UInt16> = 70...350
    /// Flow mode: how long before its beat a drum may be lit, milliseconds.
    public static let lead: ClosedRange<UInt16> = 100...3_000
    /// How long before its beat a drum is lit unless something else is asked for: a median reaction of these hands and
    /// something to spare.
    public static let usualLead: UInt16 = 600
    /// Beats that are counted before the first step.
    public static let countInBeats: ClosedRange<UInt8> = 0...8
    /// Microseconds of a beat: 600 a minute to 15.
    public static let microsecondsPerBeat: ClosedRange<UInt32> = 100_000...4_000_000
    /// How fast a song may be played, percent of its own tempo.
    public static let tempoPercent: ClosedRange<UInt8> = 50...120
    /// As it is written.
    public static let ownTempo: UInt8 = 100
    /// Over how many beats the rule of a plan may look.
    public static let stopBeats: ClosedRange<UInt8> = 5...40
}
