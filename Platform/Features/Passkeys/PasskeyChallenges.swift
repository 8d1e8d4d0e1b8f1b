import Crypto
import Foundation
import Synchronization

/// The challenges that wait for an answer. Each is 32 random bytes, is for one thing at one name, and is answered once and
/// soon. They are in memory: a hub that starts anew knows none, and the page asks for another.
final class PasskeyChallenges: Sendable {
    /// The purpose of a challenge.
    enum Purpose: Hashable, Sendable {
        /// A new passkey of the account of a sign-in.
        case registration(signIn: String)
        /// Coming in.
        case signIn
    }

    private struct Waiting {
        var purpose: Purpose
        var relyingParty, owner: String
        var madeAt: Int64
    }

    /// The time in which a challenge has to be answered, in milliseconds.
    static let milliseconds: Int64 = 5 * 60_000
    /// The number of challenges of one owner; the oldest goes for a new one.
    static let mostOfOwner = 16
    /// The number of all challenges; the oldest of whoever has most goes for a new one.
    static let most = 2_048

    private let waiting = Mutex<[[UInt8]: Waiting]>([:])

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - purpose: what it is for.
    ///   - relyingParty: the name by which the hub was opened.
    ///   - owner: the address or sign-in that asks, by which challenges are counted.
    ///   - now: the current time, in UTC milliseconds.
    func make(_ purpose: Purpose, relyingParty: String, owner: String, now: Int64) -> [UInt8] {
        let challenge = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        waiting.withLock { waiting in
            waiting = waiting.filter { Self.isOpen($0.value, now: now) }
            let counts = waiting.values.reduce(into: [String: Int]()) { $0[$1.owner, default: 0] += 1 }
            if counts[owner, default: 0] >= Self.mostOfOwner {
                Self.dropOldest(of: owner, &waiting)
            } else if waiting.count >= Self.most, let greediest = counts.max(by: { $0.value < $1.value })?.key {
                Self.dropOldest(of: greediest, &waiting)
            }
            waiting[challenge] = Waiting(
                purpose: purpose, relyingParty: relyingParty, owner: owner, madeAt: now)
        }
        return challenge
    }

    /// Takes a challenge out, whether what answers it is right or not.
    ///
    /// - Throws: `challenge` if it is none that waits for this purpose at this name.
    func take(_ challenge: [UInt8], _ purpose: Purpose, relyingParty: String, now: Int64) throws(WebAuthnError) {
        let found = waiting.withLock { $0.removeValue(forKey: challenge) }
        guard let found, found.purpose == purpose, found.relyingParty == relyingParty, Self.isOpen(found, now: now)
        else { throw .challenge }
    }

    private static func isOpen(_ one: Waiting, now: Int64) -> Bool {
        one.madeAt <= now && now - one.madeAt < milliseconds
    }

    private static func dropOldest(of owner: String, _ waiting: inout [[UInt8]: Waiting]) {
        let oldest = waiting.filter { $0.value.owner == owner }.min { $0.value.madeAt < $1.value.madeAt }
        if let oldest { waiting[oldest.key] = nil }
    }
}
