import Foundation
import HubKit
import Localization

/// Slows down whoever guesses passwords and codes. See ``AccountLimits`` for what each limit is.
final class GuessLimits: Sendable {
    /// Whose password is tried, and by whom.
    struct PasswordTry: Sendable {
        /// In one form, whether it belongs to somebody or not.
        let email: String
        let address: String
        /// Of the device, where it is signed in.
        var signIn: String?
        /// Whether somebody of the household has signed in there before.
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

    /// Counts a try of an address, before anything is looked up for it.
    ///
    /// - Throws: a 429 problem.
    func admit(address: String, now: Int64) throws(Problem) {
        do { try addresses.take(address, now: now) } catch { throw .tooManyTries(error, field: "password") }
    }

    /// What an address tried was no guess.
    func succeeded(address: String) { addresses.forget(address) }

    /// Counts a try before it is checked, so that a thousand at once are no more than the limit. An email that nobody
    /// has is counted as any other: an answer does not tell which there are.
    ///
    /// - Returns: how many are left from this address for this email.
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

    /// It was not checked after all.
    func giveBack(_ one: PasswordTry) {
        pairs.giveBack(one.pair)
        if one.isKnown { known.giveBack(one.pair) } else { strangers.giveBack(one.email) }
    }

    /// The try was no guess. What others have used up of the strangers' allowance stays used up.
    func succeeded(_ one: PasswordTry) {
        pairs.forget(one.pair)
        if one.isKnown { known.forget(one.pair) } else { strangers.giveBack(one.email) }
    }

    // MARK: Codes

    /// Counts a code before it is looked at.
    ///
    /// The limit over all addresses makes guessing as slow for who has many of them as for who has one; a code has sixty
    /// bits, so that the 8,640 guesses of a day, and nine an hour of each further address, find none in any time.
    /// Whoever has a right one is not kept out by those who guess: an address that has not tried lately has a few tries
    /// of its own while that limit is used up. For the same reasons no number of guesses ends a code: a stranger could
    /// take it from its owner that way, and a new one would be no harder to guess than the old.
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

    /// The code was a right one.
    func codeSucceeded(from address: String) {
        codesOfAddress.forget(address)
        codes.giveBack("")
    }

    /// "Four more tries", for the sentence under the field.
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
    fileprivate static func tooManyTries(_ wait: RateLimiter.Wait, field: String) -> Problem {
        Problem(
            .tooManyRequests, "Too many tries", "Wait \(wait.words), then try again.", field: field,
            retryAfter: wait.seconds)
    }

    fileprivate static func tooManyStrangers(_ wait: RateLimiter.Wait) -> Problem {
        Problem(
            .tooManyRequests, "Too many tries",
            "There were too many wrong passwords for this email. Wait \(wait.words), then try again, or sign in where somebody of your house has signed in before.",
            field: "password", retryAfter: wait.seconds)
    }
}

extension RateLimiter.Wait {
    /// Whole ones, never too few.
    fileprivate var seconds: Int { max(Int((milliseconds + 999) / 1000), 1) }

    fileprivate var words: LocalizedText {
        switch seconds {
        case ..<120: LocalizedText("\(seconds) seconds")
        default: LocalizedText("\((seconds + 59) / 60) minutes")
        }
    }
}
