import Foundation
import GRDB
import HubKit
import Storage

/// A guest who asks, with the class that they joined.
struct GuestRequest: Sendable {
    let guest: GuestRecord
    let found: ClassRecord

    /// Finds the guest whose token the request has, while their class takes anything.
    ///
    /// - Throws: a 401 problem for no token, a wrong one, and one that has ended; a 429 problem for too many.
    init(_ request: APIRequest, _ classes: Classes) async throws {
        guard let token = Self.token(request) else { throw Self.joinFirst }
        let now = classes.hub.clock.now()
        let hash = Secret.hash(token)
        let found = try await classes.hub.database.pool.read { db -> (GuestRecord, ClassRecord)? in
            guard
                let guest = try GuestRecord.fetchOne(
                    db, cached: "SELECT * FROM lab_guest WHERE token_hash = ?", arguments: [hash]),
                let found = try ClassRecord.fetchOne(db, key: guest.inClass)
            else { return nil }
            return (guest, found)
        }
        guard let (guest, inClass) = found, now < inClass.endsAt + classes.limits.deliveryMilliseconds else {
            try classes.wrongTokens.count(request.source.address, now: now)
            throw Self.joinFirst
        }
        try classes.requests.check(guest.id, now: now)
        classes.saw(guest.id)
        self.guest = guest
        self.found = inClass
    }

    private static func token(_ request: APIRequest) -> String? {
        guard let value = request.header(.authorization), value.lowercased().hasPrefix("bearer ") else { return nil }
        let token = value.dropFirst(7).trimmingCharacters(in: .whitespaces)
        return token.isEmpty ? nil : token
    }

    /// The refusal of a token that nobody in a class has.
    private static let joinFirst = Problem(
        .unauthorized, "Not in a class", "This phone is in no class, or the class is over. Scan the code again.")

    /// The id of a guest's recording of a run. The hub says it, so that nobody writes into another's.
    static func recording(_ guest: String, run: Int) -> String {
        SessionOrigin.name(of: SessionOrigin.identifier(of: ["lab-class", guest, "\(run)"], count: 16))
    }
}

/// The limits of wrong tries to guess one kind of secret. A try is looked up first: the right secret is right, whatever
/// others have tried.
struct WrongTries: Sendable {
    private let ofAddress, ofAll: RateLimiter

    init(_ limits: ClassLimits) {
        ofAddress = RateLimiter(limits.wrongOfAddress, capacity: 1_000)
        ofAll = RateLimiter(limits.wrongOfAll, capacity: 1)
    }

    /// Counts one that was wrong.
    ///
    /// - Throws: a 429 problem for one too many.
    func count(_ address: String, now: Int64) throws(Problem) {
        try ofAddress.check(address, now: now)
        do {
            try ofAll.check("all", now: now)
        } catch {
            ofAddress.giveBack(address)
            throw error
        }
    }
}

extension RateLimiter {
    /// Takes one of the tries that a key has.
    ///
    /// - Throws: a 429 problem in words for one too many.
    fileprivate func check(_ key: String, now: Int64) throws(Problem) {
        do throws(Wait) {
            try take(key, now: now)
        } catch {
            let seconds = Int(max(1, (error.milliseconds + 999) / 1_000))
            throw Problem(
                .tooManyRequests, "Too many tries", "Please wait \(seconds) seconds, then try again.",
                retryAfter: seconds)
        }
    }

    /// Takes one of the tries to join a class.
    func checkJoin(_ key: String, now: Int64) throws(Problem) { try check(key, now: now) }
}
