import Foundation
import GRDB
import HubKit
import Localization
import Outbound
import Storage

/// The channels of people, as adults add, confirm and remove them.
extension Channels {
    /// The number of wrong codes for an address, at most; then another code is needed.
    static let mostCodeTries = 5
    /// The time for which a code is good, in seconds.
    static let codeSeconds = 30 * 60
    /// The time for which a trial is of use, in seconds.
    private static let trialSeconds = 3_600

    /// A new channel, as an adult enters it.
    struct Input: Sendable {
        var kind: ChannelRecord.Kind
        var person: String
        var address: String
        /// The address in digits of a name in the house.
        var houseAddress: String?
        /// The token for ntfy.
        var token: String?
        var language: Language?
        /// The hub's address, as the adult's page has it.
        var origin: String?
    }

    /// The channels of a household's people, in the order in which they were added.
    func all(household: String) async throws -> [ChannelRecord] {
        try await database.pool.read { db in
            try ChannelRecord.fetchAll(
                db,
                cached: "SELECT * FROM channel WHERE household = ? AND person IS NOT NULL ORDER BY created_at, id",
                arguments: [household])
        }
    }

    /// Adds a channel. An e-mail address is sent a code first.
    ///
    /// - Throws: a 422 problem in words for each mistake.
    func add(_ input: Input, _ member: Member) async throws -> ChannelRecord {
        var made = ChannelRecord(
            id: Secret.identifier(), household: member.household, kind: input.kind, person: input.person,
            address: input.address.trimmingCharacters(in: .whitespaces), isConfirmed: input.kind != .email,
            createdAt: clock.now())
        made.language = input.language?.tag
        made.origin = input.origin.flatMap(Self.reachable)
        switch input.kind {
        case .ntfy:
            let place: NtfyPlace
            do {
                place = try NtfyPlace(made.address, houseAddress: input.houseAddress)
                try await outbound.check(place.host)
            } catch {
                throw Self.problem(error)
            }
            made.address = "\(place.host.origin)/\(place.topic)"
            made.houseAddress = place.host.houseAddress?.description
            made.secret = try Self.checked(token: input.token)
        case .email:
            guard MailAddress(made.address) != nil else {
                throw Problem.field("address", "This does not look like an email address.")
            }
        case .webhook: throw Problem.field("kind", "A webhook belongs to nobody.")
        }
        let record = made
        return try await database.pool.write { db in
            guard try PersonRecord.fetchOne(db, key: input.person)?.household == member.household else {
                throw Problem.field("person", "Somebody of these does not live here any more. Load the page again.")
            }
            let present = try ChannelRecord.fetchAll(
                db, cached: "SELECT * FROM channel WHERE person = ?", arguments: [input.person])
            guard !present.contains(where: { $0.kind == record.kind && $0.address == record.address }) else {
                throw Problem.field("address", "This is there already.")
            }
            guard present.count < Self.mostOfPerson else {
                throw Problem.field(
                    "address", "A person has \(Self.mostOfPerson) of these at most. Remove one that is not used.")
            }
            if record.kind == .email, try MailAccountRecord.fetchOne(db, key: record.household) == nil {
                throw Problem.field("address", "There is no email account yet to send it by. Add that first.")
            }
            try record.insert(db)
            self.publish(record, after: db)
            return record.kind == .email ? try self.sendCode(to: record, db) : record
        }
    }

    /// Removes a channel, with what waits for it.
    func remove(_ id: String, _ member: Member) async throws {
        try await database.pool.write { db in
            let record = try Self.find(id, member, db)
            _ = try record.delete(db)
            self.publish(record, after: db)
        }
    }

    /// Sends a test message.
    ///
    /// - Throws: a 409 problem for an address that is not confirmed.
    func tryOut(_ id: String, _ member: Member) async throws {
        try await database.pool.write { db in
            let record = try Self.find(id, member, db)
            guard record.isConfirmed else {
                throw Problem(
                    .conflict, "Not confirmed yet", "Type the code first that was sent to this address.", field: "code")
            }
            let language = try Self.language(of: record, db)
            let name = try record.person.flatMap { try PersonRecord.fetchOne(db, key: $0)?.name } ?? ""
            let notice = ChannelNotice(
                title: LocalizedText("Reminders arrive").string(in: language, from: .push),
                body: LocalizedText("Here you are told what \(name) is reminded of.").string(in: language, from: .push),
                path: "/")
            try self.enqueue(
                JSONEncoder().encode(notice), to: record, about: nil, topic: "try", ttlSeconds: Self.trialSeconds, db)
        }
    }

    // MARK: The code of an e-mail address

    /// Sends another code to an address that is not confirmed.
    func sendCode(_ id: String, _ member: Member) async throws {
        try await database.pool.write { db in
            let record = try Self.find(id, member, db)
            guard record.kind == .email, !record.isConfirmed else {
                throw Problem(.conflict, "Confirmed", "This address is confirmed already.")
            }
            _ = try self.sendCode(to: record, db)
            self.publish(record, after: db)
        }
    }

    /// Confirms an address by the code that was sent there.
    ///
    /// - Throws: a 422 problem for a wrong code, or one that has expired.
    func confirm(_ id: String, code: String, _ member: Member) async throws -> ChannelRecord {
        let now = clock.now()
        let typed = code.filter { !$0.isWhitespace }
        // The number of wrong codes is stored whatever comes of it.
        let (record, problem) = try await database.pool.write { db -> (ChannelRecord, Problem?) in
            var record = try Self.find(id, member, db)
            guard !record.isConfirmed else { return (record, nil) }
            guard let hash = record.codeHash, let end = record.codeExpiresAt, end > now,
                record.codeTries < Self.mostCodeTries
            else { return (record, .field("code", "This code is not good any more. Have another one sent.")) }
            guard Secret.areEqual(hash, Self.hash(typed, of: record.id)) else {
                record.codeTries += 1
                try record.update(db)
                return (record, .field("code", "This is not the code in the newest email. Look again."))
            }
            record.isConfirmed = true
            record.codeHash = nil
            record.codeExpiresAt = nil
            try record.update(db)
            self.publish(record, after: db)
            return (record, nil)
        }
        if let problem { throw problem }
        return record
    }

    private func sendCode(to channel: ChannelRecord, _ db: Database) throws -> ChannelRecord {
        var record = channel
        let code = String((0..<8).map { _ in Character(String(Int.random(in: 0...9))) })
        record.codeHash = Self.hash(code, of: record.id)
        record.codeExpiresAt = clock.now() + Int64(Self.codeSeconds) * 1_000
        record.codeTries = 0
        record.lastError = nil
        try record.update(db)
        let language = try Self.language(of: record, db)
        let name = try record.person.flatMap { try PersonRecord.fetchOne(db, key: $0)?.name } ?? ""
        let body = LocalizedText(
            "Type this code in Settings, Reminders, to get the reminders of \(name) here. It is good for half an hour. If nobody of you asked for it, do nothing: nothing more comes."
        )
        let notice = ChannelNotice(
            title: LocalizedText("\(code) is your code for Tandem").string(in: language, from: .push),
            body: body.string(in: language, from: .push))
        try enqueue(
            JSONEncoder().encode(notice), to: record, about: nil, topic: "code", ttlSeconds: Self.codeSeconds, db)
        return record
    }

    private static func hash(_ code: String, of channel: String) -> Data { Secret.hash("\(channel) \(code)") }

    // MARK: Checks

    private static func find(_ id: String, _ member: Member, _ db: Database) throws -> ChannelRecord {
        guard let record = try ChannelRecord.fetchOne(db, key: id), record.household == member.household,
            record.person != nil
        else { throw Problem.notFound("There is no such channel here. It may have been removed.") }
        return record
    }

    private static func checked(token: String?) throws -> String? {
        guard let token = token?.trimmingCharacters(in: .whitespaces), !token.isEmpty else { return nil }
        guard token.utf8.count <= 256, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem.field("token", "A token is one word of letters and digits, such as tk_….")
        }
        return token
    }

    /// The address of the hub for a phone elsewhere; nil for one that leads nowhere there.
    static func reachable(_ origin: String) -> String? {
        guard let host = URL(string: origin)?.host, host != "localhost", !host.hasPrefix("127."), host != "::1" else {
            return nil
        }
        return origin
    }

    /// The problem of an address that an adult has entered.
    static func problem(_ error: any Error) -> any Error {
        (error as? ChosenHost.Fault)?.problem(field: "address") ?? error
    }
}
