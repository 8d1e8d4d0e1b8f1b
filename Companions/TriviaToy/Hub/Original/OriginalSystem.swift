import Foundation
import GRDB
import HTTPTypes
import HubKit
import Localization
import Logging
import NIOCore
import Storage
import TriviaToyEngine

/// The original's server, spoken byte for byte: its app and its toy find what they know. Errors are an object with a
/// `message`, which the original's app showed in an alert.
final class OriginalSystem: Sendable {
    /// The reason why a request is refused, in words for the alert.
    struct Refusal: Error {
        var status: HTTPResponse.Status
        var message: LocalizedText

        init(_ status: HTTPResponse.Status, _ message: LocalizedText) {
            self.status = status
            self.message = message
        }
    }

    /// The host that the original's toy and apps have built in.
    static let host = "triviotoy.azurewebsites.net"

    private let hub: HubContext
    private let limits: ToyLimits
    private let unknownNumbers, unknownNumbersInAll, addresses, emails: RateLimiter
    /// The addresses that have named a number that is somebody's, or signed in: others' guesses do not keep them out.
    private let known: KnownAddresses
    /// The addresses from which somebody has signed in, each with their email: others' wrong passwords do not keep them
    /// out.
    private let signedIn: KnownAddresses

    init(hub: HubContext, limits: ToyLimits) {
        self.hub = hub
        self.limits = limits
        unknownNumbers = RateLimiter(limits.unknownNumbers, capacity: limits.remembered)
        addresses = RateLimiter(limits.signIns, capacity: limits.remembered)
        emails = RateLimiter(limits.signInsOfEmail, capacity: limits.remembered)
        unknownNumbersInAll = RateLimiter(limits.unknownNumbersInAll, capacity: 1)
        known = KnownAddresses(most: limits.remembered)
        signedIn = KnownAddresses(most: limits.remembered)
    }

    func noHousehold(_ request: APIRequest) -> APIResponse<LegacyAnswer> {
        answer(LocalizedText("This hub has no household yet."), .serviceUnavailable, request)
    }

    func answer(_ route: LegacyRoute, _ request: APIRequest, household: String) async throws -> APIResponse<
        LegacyAnswer
    > {
        do {
            switch OriginalRoute(route) {
            case .register: return try await register(request, household)
            case .signIn: return try await signIn(request, household)
            case .history: return try await history(request, household)
            case .report: return try await report(request, household)
            case .nextFact: return try await nextFact(request, household)
            case .postVote, .putVote: return try await vote(request, household)
            case nil: throw Problem.notFound("There is nothing here.")
            }
        } catch let refusal as Refusal {
            return answer(refusal.message, refusal.status, request)
        } catch let fault as LegacyBody.Fault {
            return answer(fault.text, .badRequest, request)
        } catch let problem as Problem {
            return answer(problem.detail, problem.code, request)
        }
    }

    /// The answer that the original's app shows in an alert.
    ///
    /// The Android app takes any JSON for success, and an empty 404 for a failure. It is told from the iOS app, which
    /// ends where an answer has no `message`, by the `Content-Type` of what it sends: the one without a charset.
    private func answer(_ words: LocalizedText, _ status: HTTPResponse.Status, _ request: APIRequest)
        -> APIResponse<LegacyAnswer>
    {
        if request.header(.contentType) == "application/json" { return answer([], .notFound) }
        return answer(LegacyBody.message(Array(request.localized.string(words).utf8).span), status)
    }

    private func answer(_ bytes: [UInt8], _ status: HTTPResponse.Status = .ok) -> APIResponse<LegacyAnswer> {
        // Without a quoted parameter: the original toy speaks what stands between the first two quotes of the response.
        .legacy(ByteBuffer(bytes: bytes), type: "application/json; charset=utf-8", status: status)
    }

    // MARK: - Users

    private func register(_ request: APIRequest, _ household: String) async throws -> APIResponse<LegacyAnswer> {
        let now = hub.clock.now()
        let limits = limits
        let bytes = Array(buffer: try await request.bytes())
        let isOpen = try await hub.database.pool.read { db in
            try Registration.openUntil(household: household, now: now, limits, db) != nil
        }
        let closed = Refusal(
            .forbidden,
            LocalizedText("Nobody can sign up right now. An adult of the household opens the sign-up for five minutes.")
        )
        guard isOpen else { throw closed }
        let credentials = try LegacyBody.Credentials(bytes.span, needsUsername: true)
        let username = try Self.text(credentials.username).withoutUnseenCharacters
        let email = try Self.text(credentials.email)
        let password = try Self.text(credentials.password)
        guard email.contains("@"), !email.contains(where: \.isWhitespace) else {
            throw Refusal(.badRequest, LocalizedText("An email address looks like name@example.org."))
        }
        // As both apps take it.
        guard password.count >= 5 else {
            throw Refusal(.badRequest, LocalizedText("A password has at least 5 characters."))
        }
        try count(addresses, request.source.address, now, from: request)
        let hash = try await hub.passwords.make(
            password, cost: hub.settings.passwordCost, for: .init(account: "toy " + email.lowercased(), isKnown: false))
        let user = try await hub.database.pool.write { db in
            guard try Registration.openUntil(household: household, now: now, limits, db) != nil else { throw closed }
            guard try OriginalUser.find(email: email, household: household, db) == nil else {
                throw Refusal(.conflict, LocalizedText("Somebody has signed up with this email address already."))
            }
            guard
                try OriginalUser.filter(sql: "household = ?", arguments: [household]).fetchCount(db)
                    < limits.originalUsers
            else { throw Refusal(.conflict, LocalizedText("There are too many users already.")) }
            return try OriginalUser.add(
                username: username, email: email, password: hash, household: household, now: now, db)
        }
        addresses.giveBack(request.source.address)
        known.add(request.source.address)
        hub.log.notice("A user of the original trivia toy has signed up.")
        return answer(LegacyBody.signedIn(id: UInt32(clamping: user.id)))
    }

    private func signIn(_ request: APIRequest, _ household: String) async throws -> APIResponse<LegacyAnswer> {
        let now = hub.clock.now()
        let credentials = try LegacyBody.Credentials(
            Array(buffer: try await request.bytes()).span, needsUsername: false)
        let (email, password) = (try Self.text(credentials.email), try Self.text(credentials.password))
        let address = request.source.address
        try count(addresses, address, now, from: request)
        let own = "\(address) \(email.lowercased())"
        if !signedIn.contains(own) { try count(emails, email.lowercased(), now, from: request) }
        let user = try await hub.database.pool.read { db in
            try OriginalUser.find(email: email, household: household, db)
        }
        let turn = PasswordHasher.Turn(account: "toy " + email.lowercased(), isKnown: false)
        let isRight: Bool
        if let user {
            isRight = try await hub.passwords.matches(password, user.password, for: turn)
        } else {
            // As long as for somebody who is there: the time does not tell whose address is known.
            _ = try await hub.passwords.make(password, cost: hub.settings.passwordCost, for: turn)
            isRight = false
        }
        guard isRight, let user else {
            throw Refusal(.unauthorized, LocalizedText("The email address or the password is wrong."))
        }
        addresses.giveBack(address)
        emails.forget(email.lowercased())
        signedIn.add(own)
        known.add(address)
        return answer(LegacyBody.signedIn(id: UInt32(clamping: user.id)))
    }

    // MARK: - Facts

    private func history(_ request: APIRequest, _ household: String) async throws -> APIResponse<LegacyAnswer> {
        let user = try await self.user(try request.path("userID"), request, household)
        let count = limits.historyPage
        let facts = try await hub.database.pool.read { db in
            let listener = try user.person.flatMap { try FactQueue.known(person: $0, db) } ?? user.listener
            return try HistoryResponse(of: [listener].compactMap { $0 }, count: count, db).plays.map(\.fact).map {
                LegacyBody.HeardFact(
                    id: UInt32(clamping: $0.id), text: Array($0.text.utf8), upvotes: Int64($0.upvotes),
                    downvotes: Int64($0.downvotes), vote: FactVote(rawValue: Int8(clamping: $0.vote)) ?? FactVote.none)
            }
        }
        return answer(LegacyBody.history(facts))
    }

    /// The toy has played so many facts since it said so last: those that it fetched, one after the other, and from the
    /// oldest that it has on when there are no more, each once a report. The others are facts of its own card, which are
    /// counted. It is answered nothing, as the original did: its line is slow, and its buffer small.
    private func report(_ request: APIRequest, _ household: String) async throws -> APIResponse<LegacyAnswer> {
        let user = try await self.user(try request.path("userID"), request, household)
        let digits = Array(try request.path("count").utf8)
        let (most, largest) = (limits.fetchedFacts, OriginalUser.numbers.upperBound)
        // A toy counts in 16 bits, and keeps its count until it was told 200.
        guard let count = digits.span.count == 1 && digits[0] == 0x30 ? 0 : LegacyBody.id(path: digits.span),
            Int64(count) <= largest
        else { throw Refusal(.badRequest, LocalizedText("A toy reports between 0 and \(largest) facts at once.")) }
        let now = hub.clock.now()
        try await hub.database.pool.write { db in
            guard var user = try OriginalUser.find(user.id, household: household, db) else { return }
            let known = min(Int64(count), user.fetched, most)
            user.cardPlays += Int64(count) - known
            guard known > 0 else { return try user.update(db) }
            let listener = try user.heardAs(db)
            for _ in 0..<known {
                if user.played >= user.fetched { user.played = max(0, user.fetched - most) }
                let id = try Int64.fetchOne(
                    db, cached: "SELECT fact FROM toy_fetched WHERE user = ? AND position = ?",
                    arguments: [user.id, user.played])
                user.played += 1
                guard let fact = try id.flatMap({ try FactRecord.fetchOne(db, key: $0) }) else { continue }
                try PlayRecord.add(fact, listener: listener, at: now, ending: .unknown, db)
            }
            try user.update(db)
            hub.live.publish(changed: "play", of: TriviaToy.self, household: household, after: db)
        }
        return answer([])
    }

    private func nextFact(_ request: APIRequest, _ household: String) async throws -> APIResponse<LegacyAnswer> {
        let user = try await self.user(try request.path("userID"), request, household)
        let now = hub.clock.now()
        let (most, longest, number) = (limits.fetchedFacts, limits.originalFactBytes, user.id)
        let text = try await hub.database.pool.write { db -> String? in
            guard var user = try OriginalUser.find(number, household: household, db) else { return nil }
            let listener = try user.heardAs(db)
            // Its speech module speaks English.
            var filter = FactQueue.Filter(
                language: .en, choice: FactChoice(age: ListeningSettings.ageUnknown), longestBytes: longest)
            if let person = user.person {
                filter.choice = try ListeningSettings.factFilter(
                    of: try Subject.find(person, household: household, now: now, db), db
                ).choice
            }
            guard let next = try FactQueue.next(for: listener, household: household, filter, db),
                let fact = try FactRecord.fetchOne(db, key: next)
            else { return nil }
            // What it has fetched it will play: the next one is another.
            try FactQueue.hear(fact, listener: listener, at: now, db)
            try db.execute(
                cached: "INSERT INTO toy_fetched(user, position, fact) VALUES (?, ?, ?)",
                arguments: [user.id, user.fetched, fact.id])
            user.fetched += 1
            try db.execute(
                cached: "DELETE FROM toy_fetched WHERE user = ? AND position < ?",
                arguments: [user.id, user.fetched - most])
            try user.update(db)
            return fact.text
        }
        guard let text else {
            // The toy speaks it, and speaks English.
            return answer(LegacyBody.fact(Array("There are no facts yet.".utf8).span), .notFound)
        }
        return answer(LegacyBody.fact(Array(text.utf8).span))
    }

    private func vote(_ request: APIRequest, _ household: String) async throws -> APIResponse<LegacyAnswer> {
        let vote = try LegacyBody.Vote(Array(buffer: try await request.bytes()).span)
        let digits = Array(try request.path("id").utf8)
        guard let id = LegacyBody.id(path: digits.span) else { throw LegacyBody.Fault.badNumber(.triviaID) }
        guard vote.fact == nil || vote.fact == id else {
            throw Refusal(.badRequest, LocalizedText("The address names another fact than the vote."))
        }
        let user = try await self.user("\(vote.user)", request, household)
        let now = hub.clock.now()
        let isKnown = try await hub.database.pool.write { db in
            guard let fact = try FactRecord.find(Int64(id), household: household, db) else { return false }
            try Votes.set(vote.vote, on: fact, listener: try user.heardAs(db), at: now, db)
            hub.live.publish(changed: "vote", of: TriviaToy.self, household: household, after: db)
            return true
        }
        guard isKnown else { throw Refusal(.notFound, LocalizedText("There is no such fact.")) }
        return try .legacy(json: ["userVote": Int(vote.vote.rawValue), "triviaId": Int(id)])
    }

    // MARK: - Who it is

    /// The user of a number. Whoever tries numbers that are nobody's is soon answered nothing any more, from this
    /// address; and when many addresses do, from every address that has not named a right one before.
    private func user(_ number: String, _ request: APIRequest, _ household: String) async throws -> OriginalUser {
        let address = request.source.address
        // Counted before it is looked at, so that a right number is not told from a wrong one beyond the limit.
        let now = hub.clock.now()
        try count(unknownNumbers, address, now, of: "numbers of users", from: request)
        let isKnown = known.contains(address)
        if !isKnown { try count(unknownNumbersInAll, "", now, of: "numbers of users", from: request) }
        let digits = Array(number.utf8)
        let user = try await hub.database.pool.read { db in
            try LegacyBody.id(path: digits.span).flatMap {
                try OriginalUser.find(Int64($0), household: household, db)
            }
        }
        guard let user else {
            throw Refusal(.notFound, LocalizedText("That number is not known here."))
        }
        unknownNumbers.giveBack(address)
        if !isKnown {
            unknownNumbersInAll.giveBack("")
            known.add(address)
        }
        return user
    }

    private func count(
        _ limiter: RateLimiter, _ key: String, _ now: Int64, of what: String = "passwords", from request: APIRequest
    )
        throws(Refusal)
    {
        do throws(RateLimiter.Wait) {
            try limiter.take(key, now: now)
        } catch {
            hub.log.warning(
                "Too many \(what) of the original trivia toy are tried; some are refused.",
                metadata: ["address": "\(request.source.address)"])
            let seconds = max(1, (error.milliseconds + 999) / 1_000)
            throw Refusal(.tooManyRequests, LocalizedText("Too many tries. Please wait \(seconds) seconds."))
        }
    }

    /// A text of a request.
    private static func text(_ bytes: [UInt8]) throws(Refusal) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            throw Refusal(.badRequest, LocalizedText("The request could not be read."))
        }
        return text
    }
}
