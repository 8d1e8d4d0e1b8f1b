import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The subscriptions of phones to people.
extension Push {
    /// A subscription with the people it is for.
    struct Subscribed: Sendable {
        var record: PushSubscriptionRecord
        /// The ids of the people, in the order of the household.
        var people: [String]
    }

    /// A browser's request to subscribe.
    struct Offer: Sendable {
        var endpoint: String
        var p256dh: String
        var auth: String
        var people: [String]
        /// The language of the page.
        var language: Language?
    }

    /// The subscription of a sign-in; nil if it has none.
    func subscription(of member: Member) async throws -> Subscribed? {
        try await database.pool.read { db in
            try PushSubscriptionRecord.filter(sql: "sign_in = ?", arguments: [member.signIn]).fetchOne(db)
                .map { try Self.withPeople($0, db) }
        }
    }

    /// Stores a browser's subscription for a sign-in, in place of an earlier one.
    ///
    /// - Returns: the subscription, and whether it is a new one.
    /// - Throws: a 422 problem in words for each mistake, or a 403 problem.
    func subscribe(_ offer: Offer, _ member: Member) async throws -> (subscribed: Subscribed, isNew: Bool) {
        let keys = try PushKeys(p256dh: offer.p256dh, auth: offer.auth)
        do {
            _ = try await outbound.check(offer.endpoint, for: OutboundUse.push.purpose)
        } catch {
            throw Problem.field("endpoint", detail: Self.words(error))
        }
        var offered = PushSubscriptionRecord(
            id: Secret.identifier(), household: member.household, signIn: member.signIn, endpoint: offer.endpoint,
            p256dh: keys.publicKey.x963Representation, auth: Data(keys.secret), createdAt: clock.now())
        offered.language = offer.language?.tag
        let record = offered
        return try await database.pool.write { db in
            let present = try PushSubscriptionRecord.filter(sql: "sign_in = ?", arguments: [member.signIn]).fetchOne(db)
            let people = try Self.checked(offer.people, member, present: present, db)
            let old = try PushSubscriptionRecord.filter(sql: "endpoint = ?", arguments: [offer.endpoint]).fetchOne(db)
            if var old, old.signIn == member.signIn {
                old.p256dh = record.p256dh
                old.auth = record.auth
                old.language = record.language ?? old.language
                old.lastError = nil
                try old.update(db)
                try Self.set(people, of: old.id, db)
                return (try Self.withPeople(old, db), false)
            }
            // The same browser under an earlier sign-in, or this sign-in with an earlier endpoint.
            try db.execute(
                cached: "DELETE FROM push_subscription WHERE endpoint = ? OR sign_in = ?",
                arguments: [offer.endpoint, member.signIn])
            let count = try PushSubscriptionRecord.filter(sql: "household = ?", arguments: [member.household])
                .fetchCount(db)
            guard count < Self.mostSubscriptions else {
                throw Problem.field(
                    "endpoint",
                    "\(Self.mostSubscriptions) phones get notifications already. Turn one of them off, or end a sign-in that nobody uses."
                )
            }
            try record.insert(db)
            try Self.set(people, of: record.id, db)
            return (try Self.withPeople(record, db), true)
        }
    }

    /// Sets the people that a sign-in's subscription is for.
    func setPeople(_ people: [String], subscription id: String, _ member: Member) async throws -> Subscribed {
        try await database.pool.write { db in
            let record = try Self.own(id, member, db)
            try Self.set(try Self.checked(people, member, present: record, db), of: id, db)
            return try Self.withPeople(record, db)
        }
    }

    /// Ends a sign-in's subscription and drops its messages.
    func unsubscribe(_ id: String, _ member: Member) async throws {
        try await database.pool.write { db in _ = try Self.own(id, member, db).delete(db) }
    }

    /// Sends a test message.
    ///
    /// - Throws: a 404 problem for a subscription of another sign-in, a 429 problem for too many tests.
    func tryOut(_ id: String, _ member: Member) async throws {
        let now = clock.now()
        try await database.pool.write { db in
            let subscribed = try Self.withPeople(try Self.own(id, member, db), db)
            try self.takeTrial(account: member.person.id)
            let names = try subscribed.people.compactMap { try PersonRecord.fetchOne(db, key: $0)?.name }
            let language = subscribed.record.language.map { Language($0) } ?? .english
            let words =
                [LocalizedText("This device hears from the hub.")]
                + (names.isEmpty ? [] : [LocalizedText("It will tell of \(list: names).")])
            let message = try PushMessage(
                json: Trial(
                    title: LocalizedText("Notifications arrive").string(in: language, from: .push),
                    body: words.string(in: language, from: .push), at: now),
                ttlSeconds: 3_600, topic: "try")
            try self.enqueue(message, about: nil, to: id, db)
        }
        wake()
    }

    private struct Trial: Encodable {
        var type = "try"
        var title: String
        var body: String
        var tag = "try"
        var path = "/"
        var at: Int64
    }

    // MARK: Checks

    static func words(_ error: OutboundError) -> LocalizedText {
        switch error {
        case .refused(let reason):
            LocalizedText(
                "This address for notifications is not taken: \(reason). Turn notifications off and on again in this browser; if it stays, its push service is one that the hub does not know."
            )
        case .tooMany(let seconds):
            LocalizedText("The hub has spoken to push services too often. Try again in \(seconds) seconds.")
        case .unreachable(let reason): LocalizedText("\(reason). Try again.")
        }
    }

    private static func own(_ id: String, _ member: Member, _ db: Database) throws -> PushSubscriptionRecord {
        guard let record = try PushSubscriptionRecord.fetchOne(db, key: id), record.signIn == member.signIn else {
            throw Problem.notFound("There is no subscription here. It may have been removed.")
        }
        return record
    }

    /// Checks which people a subscription may be for: an adult's or a shared device's for everyone, a child's profile's
    /// for the children.
    ///
    /// - Parameter present: the current subscription. Its people may stay, since a browser renews its subscription by
    ///   itself, whoever uses the page at the time.
    private static func checked(
        _ people: [String], _ member: Member, present: PushSubscriptionRecord?, _ db: Database
    ) throws -> Set<String> {
        let known = try present.map { try Self.withPeople($0, db).people } ?? []
        guard (1...100).contains(people.count) else {
            throw Problem.field("people", "Choose at least one person whose reminders this device shows.")
        }
        for id in people {
            guard let person = try PersonRecord.fetchOne(db, key: id), person.household == member.household else {
                throw Problem.field("people", "Somebody of these does not live here any more. Load the page again.")
            }
            guard member.profile.role == .adult || member.isShared || person.role == .child || known.contains(id) else {
                throw Problem(
                    .forbidden, "For grown-ups",
                    "\(member.profile.name)’s profile can show children’s reminders. An adult can add \(person.name).",
                    field: "people")
            }
        }
        return Set(people)
    }

    private static func set(_ people: Set<String>, of subscription: String, _ db: Database) throws {
        try db.execute(cached: "DELETE FROM push_person WHERE subscription = ?", arguments: [subscription])
        for person in people {
            try db.execute(cached: "INSERT INTO push_person VALUES (?, ?)", arguments: [subscription, person])
        }
        // What waits about somebody to whom nobody is subscribed any more.
        try db.execute(
            cached: """
                DELETE FROM push_message WHERE subscription = ? AND person IS NOT NULL AND person NOT IN
                    (SELECT person FROM push_person WHERE subscription = ?)
                """, arguments: [subscription, subscription])
    }

    private static func withPeople(_ record: PushSubscriptionRecord, _ db: Database) throws -> Subscribed {
        let people = try String.fetchAll(
            db,
            cached: """
                SELECT person FROM push_person JOIN person ON person.id = push_person.person WHERE subscription = ?
                ORDER BY role, created_at, person.id
                """, arguments: [record.id])
        return Subscribed(record: record, people: people)
    }
}
