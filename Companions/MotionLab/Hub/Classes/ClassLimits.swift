import HubKit

/// The limits of a class, and of the requests of strangers.
struct ClassLimits: Sendable {
    /// The most classes of a household that are open at once.
    var openClasses = 4
    /// The minutes that a class is open.
    var minutes = 5...240
    /// The time for which somebody may join with a code, which is on a screen that a whole room sees.
    var codeMilliseconds: Int64 = 20 * 60_000
    /// The number of characters of a code, of 31 each. A code is safe by the number of codes, 31^8: even 10,000 tries a
    /// second find one of four open classes in the 20 minutes of a code once in 17,000 times, and all that it opens is
    /// the class.
    var codeLength = 8
    /// The most guests in one class at once. A guest who left or was sent away takes no place.
    var guests = 60
    /// The most guests who ever joined one class, those who left and were sent away included.
    var joinedInAll = 600
    /// The most runs of one class.
    var runs = 50
    /// The seconds that a run takes.
    var seconds = 1...900
    /// The most sensors that are recorded at once, and the samples a second of each.
    var sensors = 6
    var hertz = 1.0...200.0
    /// The most bytes of a name of a class or a guest, UTF-8.
    var nameBytes = 60
    /// The most bytes of one recording: fifteen minutes of six sensors at 200 Hz are some 6 MB.
    var recordingBytes = 8 << 20
    /// The most bytes of all recordings of one class: a class of thirty with two sensors at 100 Hz for a minute sends 2
    /// MB in a run.
    var classBytes = 512 << 20
    /// The time that a phone may measure longer than the run is, seconds: it hears of the end when it asks.
    var graceSeconds = 10
    /// The most samples that a phone may send, as a multiple of those that were asked for: not every sensor has the
    /// rate that one asks of it.
    var rateTolerance = 2.0
    /// Samples a second that a sensor sends however few were asked for: loudness comes in as many frames.
    var leastHertz = 60.0
    /// The bytes of a sample of four axes of noise, and those that a recording has besides.
    var sampleBytes = 40
    var besideBytes = 64 << 10
    /// The most bytes of one request.
    var pieceBytes = 256 << 10
    /// The time between the adult's press and the start, so that every phone has heard of it, milliseconds.
    var leadMilliseconds: Int64 = 3_000
    /// The time after its end for which a class still takes what its phones have not sent, milliseconds.
    var deliveryMilliseconds: Int64 = 10 * 60_000
    /// A recording that nobody goes on with for so long is closed as it is, milliseconds.
    var idleMilliseconds: Int64 = 2 * 60_000
    /// The time for which a phone that asks what is new is held, if nothing is.
    var patience = Duration.seconds(10)
    /// The longest silence of a phone that is still there, milliseconds.
    var presenceMilliseconds: Int64 = 25_000
    /// The rates of wrong codes, and apart from them wrong tokens, of one address and of all together. Right ones are
    /// let in whatever others have tried: a class may be behind one address, and a pupil who guesses shuts nobody out.
    var wrongOfAddress = Rate(burst: 80, intervalMilliseconds: 15_000)
    var wrongOfAll = Rate(burst: 300, intervalMilliseconds: 1_000)
    /// The rate of one guest's requests.
    var requests = Rate(burst: 60, intervalMilliseconds: 150)
    /// The rate at which one class is joined with the right code: a pupil reloads the page.
    var joins = Rate(burst: 60, intervalMilliseconds: 2_000)
    /// The most guests of one address in one class at once: a class of thirty may be behind one, and one phone that joins
    /// for as long as a code holds leaves places to others.
    var guestsOfAddress = 40
    /// The rate at which one code is joined from one address, those who leave and join again included: three times a class
    /// of thirty, and in the four hours of a class not all who may ever join it.
    var joinsOfAddress = Rate(burst: 100, intervalMilliseconds: 30_000)
}

extension ClassLimits {
    /// The most samples that a recording of a run may have: what the class asked its phones for, and as much again.
    func samples(of found: ClassRecord) -> Int {
        let seconds = Double(found.seconds + graceSeconds)
        return found.sensors.count * Int(seconds * max(found.hertz, leastHertz) * rateTolerance)
    }

    /// The most bytes of such a recording.
    func bytes(of found: ClassRecord) -> Int { min(recordingBytes, samples(of: found) * sampleBytes + besideBytes) }
}
