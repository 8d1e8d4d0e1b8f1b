import HubKit

/// The limits of how much of each thing there may be. Beyond it there is an error in words, and nothing is lost.
struct ToyLimits: Sendable {
    /// The most facts of a household, those that come with Tandem among them.
    var facts = 200_000
    /// The most bytes of a fact's text: what a toy stores.
    var textBytes = 1_500
    /// The most bytes of an imported file.
    var importBytes = 1 << 20
    /// The most rows of an imported file whose mistakes are named; the others are counted.
    var namedRows = 20
    /// The most users of the original system.
    var originalUsers = 50
    /// The time that registration is open once an adult has opened it.
    var registrationMilliseconds: Int64 = 300_000
    /// The most facts that an original toy has, and so plays that it reports at once.
    var fetchedFacts: Int64 = 2_000
    /// The length of a fact that an original toy is sent, at most, bytes: its buffer has 1,024, and the head of the
    /// answer is in it, too (some 350).
    var originalFactBytes = 600
    /// The most facts that a toy is sent in one turn; it asks for more.
    var factsAtOnce = 40
    /// The most toys that wait to be sent something.
    var waitingToys = 1_000
    /// The most different reports of a toy under one number: more than one is a sign of two toys with one identity.
    var reportsOfOneNumber = 4
    /// The most recorded messages of a household.
    var messages = 20
    /// The longest recorded message: 30 s, and what a browser needs to stop.
    var messageMilliseconds = 30_500
    /// The most bytes of a recording as it is sent: 30 s with 48,000 samples a second on two channels, and its head.
    var messageBytes = 6 << 20
    /// The most letters of the name of the one who speaks in it.
    var messageTitleLetters = 60
    /// The time that ffmpeg may need for one.
    var transcodingTime = Duration.seconds(60)
    /// The most codes that wait for a toy, in a household.
    var openPairings = 5
    /// The time that a code holds.
    var pairingMilliseconds: Int64 = 600_000
    /// The rate of codes tried from one address: five, then one in thirty seconds.
    var pairingAttempts = Rate(burst: 5, intervalMilliseconds: 30_000)
    /// The same from all addresses together, but those from which an adult has made a code: sixty, then one in ten
    /// seconds.
    var pairingAttemptsInAll = Rate(burst: 60, intervalMilliseconds: 10_000)
    /// The most letters of a toy's name.
    var toyNameLetters = 60
    /// The most entries of a history in one answer.
    var historyPage = 100
    /// The rate of numbers of original users that are not known, tried from one address: ten, then one in thirty
    /// seconds.
    var unknownNumbers = Rate(burst: 10, intervalMilliseconds: 30_000)
    /// The same from all addresses together, as there are few numbers: sixty, then one in thirty seconds.
    var unknownNumbersInAll = Rate(burst: 60, intervalMilliseconds: 30_000)
    /// The rate of sign-ins tried from one address: five, then five a minute.
    var signIns = Rate(burst: 5, intervalMilliseconds: 12_000)
    /// The rate of sign-ins tried for one email from all addresses: more than from one, so that somebody else's wrong
    /// passwords do not keep out whose email it is.
    var signInsOfEmail = Rate(burst: 30, intervalMilliseconds: 12_000)
    /// The number of addresses and emails that each of these remembers.
    var remembered = 1_000
}
