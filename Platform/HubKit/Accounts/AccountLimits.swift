/// A rate limit: a number of actions at once, and one more in each interval.
public struct Rate: Sendable, Equatable {
    /// The number of actions at once.
    public var burst: Int
    /// The interval after which one more action is allowed, in milliseconds.
    public var intervalMilliseconds: Int64

    /// Creates a rate limit.
    public init(burst: Int, intervalMilliseconds: Int64) {
        self.burst = burst
        self.intervalMilliseconds = intervalMilliseconds
    }
}

/// The limits that protect accounts against guessed passwords, and for how long failed attempts are remembered.
///
/// An address is an IPv4 address or an IPv6 network of 64 bits, see ``RequestSource/address``. A *known* address is one
/// from which somebody of the household has signed in; a device that is signed in is known by its sign-in. All unknown
/// addresses share one allowance for an account, and each known one has its own. So an attacker with any number of
/// addresses is slowed down to ``strangers``, and locks nobody out who signs in from a known address.
public struct AccountLimits: Sendable {
    /// The sign-in attempts from one address, for any e-mail address: thirty, then thirty a minute.
    public var address = Rate(burst: 30, intervalMilliseconds: 2_000)
    /// The wrong passwords for one e-mail address from one address: five, then five a minute.
    public var emailAndAddress = Rate(burst: 5, intervalMilliseconds: 12_000)
    /// The wrong passwords for one e-mail address from all unknown addresses together: twenty, then 288 a day.
    public var strangers = Rate(burst: 20, intervalMilliseconds: 300_000)
    /// The wrong passwords for one e-mail address from each known address or device: thirty, then 720 a day.
    public var known = Rate(burst: 30, intervalMilliseconds: 120_000)
    /// The wrong codes (of an invitation, or of the first account) from one address: five, then five a minute.
    public var codesOfAddress = Rate(burst: 5, intervalMilliseconds: 12_000)
    /// The wrong codes from all addresses together: sixty, then 8,640 a day, of 2⁶⁰ possible ones.
    public var codes = Rate(burst: 60, intervalMilliseconds: 10_000)
    /// The codes that one address may try while others have used up ``codes``.
    public var codesOfAddressWhenBusy = Rate(burst: 3, intervalMilliseconds: 1_200_000)
    /// The number of addresses and e-mail addresses that each limit remembers. Beyond it, those with the fewest
    /// attempts are forgotten.
    public var remembered = 10_000
    /// The number of passwords of one account that wait to be hashed, which takes 75 ms each on purpose.
    public var hashesOfAccount = 5
    /// The number of passwords that wait from known addresses, and as many from unknown ones.
    public var hashes = 32
    /// The number of unused invitations in a household.
    public var openInvitations = 20
    /// The time after which an unused sign-in ends, and a known address is forgotten, in days.
    public var unusedSignInDays = 180
    /// The number of known addresses of a household; the oldest are forgotten.
    public var knownAddresses = 200
    /// The number of failed sign-ins that are listed for a household's accounts, and as many for other e-mail
    /// addresses; the oldest are deleted.
    public var failedSignIns = 100
    /// The time for which failed sign-ins are listed, in days.
    public var failedSignInDays = 56

    /// Creates the default limits.
    public init() {}

    /// The time after which an unused sign-in ends, in milliseconds.
    package var unusedSignInMilliseconds: Int64 { Int64(unusedSignInDays) * 86_400_000 }
    /// The time for which failed sign-ins are listed, in milliseconds.
    package var failedSignInMilliseconds: Int64 { Int64(failedSignInDays) * 86_400_000 }
}
