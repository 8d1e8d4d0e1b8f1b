/// How often something may be done: a number at once, and from then on one more in each interval.
public struct Rate: Sendable, Equatable {
    /// How many at once.
    public var burst: Int
    /// One comes back in this time.
    public var intervalMilliseconds: Int64

    public init(burst: Int, intervalMilliseconds: Int64) {
        self.burst = burst
        self.intervalMilliseconds = intervalMilliseconds
    }
}

/// What protects accounts against whoever guesses, and what is kept of it for how long.
///
/// An address is an IPv4 address or an IPv6 network of 64 bits, see `RequestSource.address`. A *known* address is one
/// from which somebody of the household has signed in; a device that is signed in is known by its sign-in. Strangers
/// share what they may try at an account, and each who is known has an allowance apart from theirs: so a stranger with
/// any number of addresses is slowed down to ``strangers``, and keeps nobody out who comes from where they were before.
public struct AccountLimits: Sendable {
    /// Sign-ins tried from one address, whatever the email: thirty, then thirty a minute.
    public var address = Rate(burst: 30, intervalMilliseconds: 2_000)
    /// Wrong passwords for one email from one address: five, then five a minute.
    public var emailAndAddress = Rate(burst: 5, intervalMilliseconds: 12_000)
    /// Wrong passwords for one email from all addresses that are not known, together: twenty, then 288 a day.
    public var strangers = Rate(burst: 20, intervalMilliseconds: 300_000)
    /// Wrong passwords for one email from each known address or device: thirty, then 720 a day.
    public var known = Rate(burst: 30, intervalMilliseconds: 120_000)
    /// Wrong codes (of an invitation, of the first account) from one address: five, then five a minute.
    public var codesOfAddress = Rate(burst: 5, intervalMilliseconds: 12_000)
    /// Wrong codes from all addresses together: sixty, then 8,640 a day of 2⁶⁰.
    public var codes = Rate(burst: 60, intervalMilliseconds: 10_000)
    /// Codes that an address may try while ``codes`` is used up by others.
    public var codesOfAddressWhenBusy = Rate(burst: 3, intervalMilliseconds: 1_200_000)
    /// Addresses and emails that each of these limits remembers. Beyond it those go who have tried least.
    public var remembered = 10_000
    /// Passwords of one account that wait to be hashed, which takes 75 ms each by intention.
    public var hashesOfAccount = 5
    /// Passwords that wait in all: of those who are known, and as many of strangers.
    public var hashes = 32
    /// Invitations of a household that nobody has used yet.
    public var openInvitations = 20
    /// A sign-in that is not used for so long ends, and what is known of an address is forgotten.
    public var unusedSignInDays = 180
    /// Addresses of a household from which somebody has signed in; the newest stay.
    public var knownAddresses = 200
    /// Lines about failed sign-ins of a household: for accounts that it has, and as many for others; the newest stay.
    public var failedSignIns = 100
    /// How long these lines are stored.
    public var failedSignInDays = 56

    public init() {}

    package var unusedSignInMilliseconds: Int64 { Int64(unusedSignInDays) * 86_400_000 }
    package var failedSignInMilliseconds: Int64 { Int64(failedSignInDays) * 86_400_000 }
}
