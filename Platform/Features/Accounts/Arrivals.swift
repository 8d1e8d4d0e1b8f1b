import HubKit

/// Coming in by something other than a password, which counts as an attempt all the same.
extension Accounts {
    /// Counts an attempt from an address, before anything is looked up for it; see ``AccountLimits/address``.
    ///
    /// - Throws: a 429 problem.
    public func admit(address: String) throws(Problem) { try guesses.admit(address: address, now: clock.now()) }

    /// Notes that somebody of a household has come in from an address, which is known from then on.
    public func arrived(from address: String, household: String) async {
        await know(address: address, household: household)
    }
}
