import GRDB
import HubKit
import Logging
import NIOCore
import PlantsEngine
import Storage

/// Answers one connection of the original app, as its host did. Lives on the listener's event loop.
///
/// A request is handled inside the batch writer's next batch, so that its acknowledgement follows the commit that holds
/// what it changed; answers leave in the order of the requests.
final class LegacyResponder: LegacyMessageHandler {
    private let hub: HubContext
    private let transactions: any MessageTransactions
    private let flood: LegacyFlood
    private let connection: UInt64
    /// Whether the client was told that it sends too much, and is on its way out.
    private var isKicked = false

    /// Begins with a connection.
    ///
    /// - Parameters:
    ///   - flood: of all connections.
    ///   - connection: the number of this one.
    init(hub: HubContext, transactions: any MessageTransactions, flood: LegacyFlood, connection: UInt64) {
        self.hub = hub
        self.transactions = transactions
        self.flood = flood
        self.connection = connection
    }

    func receive(topic: ByteBuffer, payload: ByteBuffer) {
        guard !isKicked else { return }
        let now = hub.clock.now()
        switch LegacyMessage.read(Array(payload.readableBytesView)) {
        case .ignored: return
        case .request(let request):
            if isFine(request, of: request.sender, now: now) { handle(request, now: now) }
        case .failure(_, let client, let text):
            // Through the batch writer too, so that it does not overtake an answer that waits for its commit.
            if isFine(nil, of: client, now: now) { answer([text]) }
        }
    }

    /// Whether a message is to be handled; who sends too many is told, and the connection closed.
    private func isFine(_ request: LegacyRequest?, of sender: [UInt8], now: Int64) -> Bool {
        guard flood.judge(request, of: sender, at: now) == .kick else { return true }
        isKicked = true
        let (hub, connection) = (hub, connection)
        transactions.perform { db in
            db.afterCommit {
                Self.publish([LegacyAnswer.kickedForSpam(to: sender)], hub)
                hub.messages.disconnect(legacyConnection: connection)
            }
        }
        return false
    }

    func close() {}

    private func answer(_ messages: [[UInt8]]) {
        let hub = hub
        transactions.perform { db in db.afterCommit { Self.publish(messages, hub) } }
    }

    private func handle(_ request: LegacyRequest, now: Int64) {
        let hub = hub
        transactions.perform { db in
            let outcome = try Self.answers(to: request, now: now, db)
            db.afterCommit { Self.publish(outcome.answers, hub) }
            guard let household = outcome.household else { return }
            hub.live.publish(changed: "plants", of: Plants.self, household: household, after: db)
        }.whenFailure { error in
            hub.log.error("a request of the original app could not be handled", metadata: ["reason": "\(error)"])
        }
    }

    private static func publish(_ messages: [[UInt8]], _ hub: HubContext) {
        for message in messages {
            hub.messages.publish(topic: "\(LegacyMessage.answerTopic)", payload: ByteBuffer(bytes: message))
        }
    }

    /// The outcome of a request.
    struct Outcome: Sendable {
        var answers: [[UInt8]]
        /// The household whose plants changed.
        var household: String?
    }

    /// Handles a request against the gardens in the database.
    static func answers(to request: LegacyRequest, now: Int64, _ db: Database) throws -> Outcome {
        guard let household = try HouseholdRecord.fetchOne(db)?.id else {
            return Outcome(answers: [
                LegacyAnswer.error(.noPlantDataToRequest, to: request.sender, about: request.message)
            ])
        }
        let name = String(decoding: request.sender, as: UTF8.self)
        let client = try db.legacyClient(name, household: household)
        if let client { try db.sawLegacyClient(client, now: now) }
        var garden = try db.legacyGarden(client: client)
        var failure: (any Error)?
        let outcome = garden.handle(request) { sensor in
            do {
                return try db.legacyReading(String(decoding: sensor, as: UTF8.self), client: client, now: now)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        guard outcome.changed else { return Outcome(answers: outcome.answers) }
        do {
            // What is refused half-way is not stored, and the other requests of the batch are.
            try db.undoable { try db.keep(garden, ofClient: name, household: household, now: now) }
        } catch is LegacyStoreError {
            return Outcome(answers: [LegacyAnswer.error(.tooManyPlants, to: request.sender, about: request.message)])
        }
        return Outcome(answers: outcome.answers, household: household)
    }
}
