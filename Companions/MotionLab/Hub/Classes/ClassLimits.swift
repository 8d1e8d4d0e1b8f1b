import HubKit

/// How much a class may be, and how often strangers may ask.
struct ClassLimits: Sendable {
    /// Classes of a household that are open at once.
    var openClasses = 4
    /// How long one is open.
    var minutes = 5...240
    /// How long somebody may join with a code: it is on a screen that a whole room sees.
    var codeMilliseconds: Int64 = 20 * 60_000
    /// Characters of a code, of 31 each. What keeps a code is their number, 31^8: even 10,000 tries a second find one of four
    /// open classes in the 20 minutes of a code once in 17,000 times, and all that it opens is the class.
    var codeLength = 8
    /// In one class at once; who left or was sent away takes no place.
    var guests = 60
    /// Who joined one class, those who left and were sent away included.
    var joinedInAll = 600
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
    /// Of all recordings of one class: a class of thirty with two sensors at 100 Hz for a minute sends 2 MB in a run.
    var classBytes = 512 << 20
    /// How much longer a phone may measure than the run is, seconds: it hears of the end when it asks.
    var graceSeconds = 10
    /// How many times the samples that were asked for a phone may send: not every sensor has the rate that one asks of it.
    var rateTolerance = 2.0
    /// Samples a second that a sensor sends however few were asked for: loudness comes in as many frames.
    var leastHertz = 60.0
    /// Of a sample of four axes of noise, and what a recording has besides.
    var sampleBytes = 40
    var besideBytes = 64 << 10
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
    /// Wrong codes, and apart from them wrong tokens, of one address and of all together. Right ones are let in whatever others
    /// have tried: a class may be behind one address, and a pupil who guesses shuts nobody out.
    var wrongOfAddress = Rate(burst: 80, intervalMilliseconds: 15_000)
    var wrongOfAll = Rate(burst: 300, intervalMilliseconds: 1_000)
    /// What one guest asks.
    var requests = Rate(burst: 60, intervalMilliseconds: 150)
    /// Who joined a class with the right code: a pupil who reloads the page.
    var joins = Rate(burst: 60, intervalMilliseconds: 2_000)
    /// The same from one address: a class of thirty may be behind one, and one phone that joins for as long as a code holds
    /// leaves places: 32, and 20 in as many minutes, of 60.
    var joinsOfAddress = Rate(burst: 32, intervalMilliseconds: 60_000)
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
