import Foundation
import GRDB
import HubKit
import Logging
import NIOCore
import ServiceLifecycle
import Storage
import Synchronization
import TriviaToyEngine

/// Sends toys what they ask for, whenever one has said how it is: the rules of the house with the time, and facts while
/// it has room for more.
final class FactDelivery: Service {
    private let hub: HubContext
    private let limits: ToyLimits
    private let asked: AsyncStream<String>
    private let ask: AsyncStream<String>.Continuation

    init(hub: HubContext, limits: ToyLimits) {
        self.hub = hub
        self.limits = limits
        (asked, ask) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(limits.waitingToys))
    }

    /// A toy has said how it is, or its rules have changed. May be called from any thread.
    func serve(_ device: String) { ask.yield(device) }

    func run() async throws {
        for await device in asked.cancelOnGracefulShutdown() {
            do {
                try await send(to: device)
            } catch {
                // The toy asks again within five minutes.
                hub.log.error("A toy could not be sent its facts.", metadata: ["error": "\(type(of: error))"])
            }
        }
    }

    /// Sends a toy its rules, and as many facts as it wants and one turn holds.
    func send(to id: String) async throws {
        let (now, limits) = (hub.clock.now(), limits)
        guard let sync = try await hub.database.pool.write({ db in try ToySync(for: id, now: now, limits, db) })
        else {
            return
        }
        publish(sync.rules, ToyTopic.rules, to: id)
        for fact in sync.facts { publish(fact, ToyTopic.fact, to: id) }
    }

    private func publish(_ bytes: [UInt8], _ topic: StaticString, to id: String) {
        hub.messages.publish(
            topic: "\(hub.policy.deviceTopics(id))\(topic)", payload: ByteBuffer(bytes: bytes),
            qualityOfService: .atLeastOnce)
    }
}

/// A sync of what a toy is sent at once.
struct ToySync: Sendable {
    var rules: [UInt8] = []
    var facts: [[UInt8]] = []

    /// Fills the sync.
    ///
    /// - Returns: nil for a device that is no toy any more.
    init?(for id: String, now: Int64, _ limits: ToyLimits, _ db: Database) throws {
        guard let device = try DeviceRecord.fetchOne(db, key: id), device.removedAt == nil,
            device.kind == TriviaToy.toyKind
        else { return nil }
        let toy = try ToyRecord.of(device, db)
        let subject = toy.person.flatMap { person in
            try? Subject.find(person, household: device.household, now: now, db)
        }
        let home = try HouseholdRecord.find(db, key: device.household)
        let calendar = subject?.calendar ?? LocalCalendar(timeZone: TimeZone(identifier: home.timeZone) ?? .gmt)
        let local = calendar.moment(of: now)
        let offset = Int64(local.day) * 1_440 + Int64(local.minute) - now / 60_000
        let rules =
            try toy.person.map { try HouseRulesRecord.of($0, household: device.household, db).rules } ?? HouseRules()
        RulesMessage(
            now: UInt32(clamping: now / 1_000), utcOffset: Int16(clamping: offset), rules: rules
        ).encode(into: &self.rules)
        guard var status = try ToyStatusRecord.fetchOne(db, key: id), status.wanted > 0 else { return }
        try Self.forget(beyond: status.stored, of: id, db)
        // Its speech module speaks English.
        var filter = FactQueue.Filter(language: .en, choice: FactChoice(age: ListeningSettings.ageUnknown))
        if let subject { filter.choice = try ListeningSettings.factFilter(of: subject, db).choice }
        let listener = try toy.heardBy(db)
        while facts.count < min(status.wanted, limits.factsAtOnce),
            let next = try FactQueue.next(for: listener, household: device.household, filter, db),
            let fact = try FactRecord.fetchOne(db, key: next)
        {
            // What it has it will say: the next one is another. When all of them are on the toy, they come again.
            guard try !Self.isThere(fact.id, id, db) else { break }
            try FactQueue.hear(fact, listener: listener, at: now, db)
            try db.execute(
                cached: "INSERT INTO toy_sent(device, fact, at) VALUES (?, ?, ?)", arguments: [id, fact.id, now])
            let message = FactMessage(
                id: UInt32(clamping: fact.id), category: fact.candidate.category,
                difficulty: FactDifficulty(rawValue: UInt8(clamping: fact.difficulty)) ?? .easy, language: .english)
            var bytes: [UInt8] = []
            do throws(MessageFault) {
                try message.encode(text: Array(fact.text.utf8).span, into: &bytes)
            } catch {
                continue  // One that no toy can store stays in the page.
            }
            facts.append(bytes)
        }
        // Asked for once: its next report says how many more it wants.
        status.wanted -= min(status.wanted, facts.count)
        try status.update(db)
    }

    /// A toy holds so many facts: those that it was sent before them it has forgotten.
    private static func forget(beyond stored: Int, of device: String, _ db: Database) throws {
        try db.execute(
            cached: """
                DELETE FROM toy_sent WHERE device = ?1 AND rowid NOT IN
                    (SELECT rowid FROM toy_sent WHERE device = ?1 ORDER BY rowid DESC LIMIT ?2)
                """, arguments: [device, stored])
    }

    private static func isThere(_ fact: Int64, _ device: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, cached: "SELECT EXISTS(SELECT 1 FROM toy_sent WHERE device = ? AND fact = ?)",
            arguments: [device, fact])
            ?? false
    }
}
