import Foundation
import HubKit
import Localization

/// The limits on guessing passwords and codes. See ``AccountLimits`` for each limit.
final class GuessLimits: Sendable {
    /// An attempt at a password.
    struct PasswordTry: Sendable {
        /// The e-mail address in lower case, whether anybody has it or not.
        let email: String
        let address: String
        /// The id of the device's sign-in, if it has one.
        var signIn: String?
        /// Whether somebody of the household has signed in from there before.
        var isKnown: Bool

        init(email: String, address: String, signIn: String?, isKnown: Bool) {
            self.email = email.lowercased()
            self.address = address
            self.signIn = signIn
            self.isKnown = isKnown
        }

        fileprivate var pair: String { "\(email) \(signIn ?? address)" }
    }

    private let addresses, pairs, strangers, known, codesOfAddress, codes, codesOfAddressWhenBusy: RateLimiter

    init(_ limits: AccountLimits) {
        func limiter(_ rate: Rate) -> RateLimiter { RateLimiter(rate, capacity: limits.remembered) }
        addresses = limiter(limits.address)
        pairs = limiter(limits.emailAndAddress)
        strangers = limiter(limits.strangers)
        known = limiter(limits.known)
        codesOfAddress = limiter(limits.codesOfAddress)
        codes = RateLimiter(limits.codes, capacity: 1)
        codesOfAddressWhenBusy = limiter(limits.codesOfAddressWhenBusy)
    }

    // MARK: Passwords

    /// Counts an attempt of an address, before anything is looked up for it.
    ///
    /// - Throws: a 429 problem.
    func admit(address: String, now: Int64) throws(Problem) {
        do { try addresses.take(address, now: now) } catch { throw .tooManyTries(error, field: "password") }
    }

    /// Clears the count of an address whose attempt was right.
    func succeeded(address: String) { addresses.forget(address) }

    /// Counts an attempt before it is checked, so that a thousand at once cannot exceed the limit. An unknown e-mail
    /// address is counted as any other, so answers do not reveal which exist.
    ///
    /// - Returns: the number of attempts that are left from this address for this e-mail address.
    /// - Throws: a 429 problem.
    func take(_ one: PasswordTry, now: Int64) throws(Problem) -> Int {
        let left: Int
        do { left = try pairs.take(one.pair, now: now) } catch { throw .tooManyTries(error, field: "password") }
        do {
            if one.isKnown {
                try known.take(one.pair, now: now)
            } else {
                try strangers.take(one.email, now: now)
            }
        } catch {
            pairs.giveBack(one.pair)
            throw one.isKnown ? .tooManyTries(error, field: "password") : .tooManyStrangers(error)
        }
        return left
    }

    /// Returns an attempt that was not checked.
    func giveBack(_ one: PasswordTry) {
        pairs.giveBack(one.pair)
        if one.isKnown { known.giveBack(one.pair) } else { strangers.giveBack(one.email) }
    }

    /// Clears the count of an attempt that was right. The allowance of unknown addresses that others have used stays
    /// used.
    func succeeded(_ one: PasswordTry) {
        pairs.forget(one.pair)
        if one.isKnown { known.forget(one.pair) } else { strangers.giveBack(one.email) }
    }

    // MARK: Codes

    /// Counts a code before it is checked.
    ///
    /// The limit over all addresses makes guessing as slow for an attacker with many of them as for one with a single
    /// address. A code has sixty bits, so the 8,640 guesses of a day, and nine an hour of each further address, find
    /// none in any time. The owner of a right code is not locked out by guesses: an address without recent attempts has
    /// a few of its own while that limit is used up. For the same reason no number of guesses ends a code: an attacker
    /// could take it from its owner that way, and a new one would be no harder to guess.
    ///
    /// - Throws: a 429 problem.
    func takeCode(from address: String, now: Int64) throws(Problem) {
        do {
            try codesOfAddress.take(address, now: now)
            do { try codes.take("", now: now) } catch { try codesOfAddressWhenBusy.take(address, now: now) }
        } catch {
            throw .tooManyTries(error, field: "code")
        }
    }

    /// Clears the count of an address whose code was right.
    func codeSucceeded(from address: String) {
        codesOfAddress.forget(address)
        codes.giveBack("")
    }

    /// The number of attempts in words, such as "Four more tries", for the sentence under the field.
    static func words(_ left: Int) -> LocalizedText {
        switch left {
        case ...0: LocalizedText("No more tries")
        case 1: LocalizedText("One more try")
        case 2: LocalizedText("Two more tries")
        case 3: LocalizedText("Three more tries")
        default: LocalizedText("Four more tries")
        }
    }
}

extension Problem {
    fileprivate static func tooManyStrangers(_ wait: RateLimiter.Wait) -> Problem {
        Problem(
            .tooManyRequests, "Too many tries",
            "There were too many wrong passwords for this email. Wait \(wait.words), then try again, or sign in where somebody of your house has signed in before.",
            field: "password", retryAfter: wait.seconds)
    }
}
