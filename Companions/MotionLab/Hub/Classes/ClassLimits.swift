import HubKit

/// How much a class may be, and how often strangers may ask.
struct ClassLimits: Sendable {
    /// Classes of a household that are open at once.
    var openClasses = 4
    /// How long one is open.
    var minutes = 5...240
    /// How long somebody may join with a code: it is on a screen that a whole room sees.
    var codeMilliseconds: Int64 = 20 * 60_000
    /// Characters of a code, of 31 each: ten thousand tries a day for a year find one of four open classes once in 58 thousand
    /// years.
    var codeLength = 8
    /// Of one class, those who were sent away included.
    var guests = 60
    /// Of one class.
    var runs = 50
    /// How long a run may be.
    var seconds = 1...900
    /// Sensors that are recorded at once, and samples a second of each.
    var sensors = 6
    var hertz = 1.0...200.0
    /// UTF-8, of a name of a class or a guest.
    var nameBytes = 60
    /// Of one recording: fifteen minutes of six sensors at 200 Hz are some 6 MB.
    var recordingBytes = 8 << 20
    /// Of one request.
    var pieceBytes = 256 << 10
    /// Between the adult's press and the start, so that every phone has heard of it, milliseconds.
    var leadMilliseconds: Int64 = 3_000
    /// How long after its end a class still takes what its phones have not sent, milliseconds.
    var deliveryMilliseconds: Int64 = 10 * 60_000
    /// A recording that nobody goes on with for so long is closed as it is, milliseconds.
    var idleMilliseconds: Int64 = 2 * 60_000
    /// How long a phone that asks what is new is held, if nothing is.
    var patience = Duration.seconds(10)
    /// How long a phone may be silent and still be there, milliseconds.
    var presenceMilliseconds: Int64 = 25_000
    /// Wrong codes and tokens, of one address and of all together. Right ones are not counted: a class may be behind one address.
    var wrongOfAddress = Rate(burst: 80, intervalMilliseconds: 15_000)
    var wrongOfAll = Rate(burst: 300, intervalMilliseconds: 1_000)
    /// What one guest asks.
    var requests = Rate(burst: 60, intervalMilliseconds: 150)
    /// Who joined a class with the right code: a pupil who reloads the page.
    var joins = Rate(burst: 60, intervalMilliseconds: 2_000)
}
