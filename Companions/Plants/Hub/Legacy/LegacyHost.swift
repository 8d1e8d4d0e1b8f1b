import GRDB
import HubKit
import Logging
import NIOCore
import PlantsEngine
import Storage

/// Answers one connection of the original app, as its host did. Lives on the listener's event loop.
///
/// A request is handled inside the recorder's next batch, so that its acknowledgement follows the commit that holds what
/// it changed; answers leave in the order of the requests.
final class LegacyHost: LegacyReader {
    private let hub: Hub
    private let recorder: Recorder
    private var spam = SpamRule()

    init(hub: Hub, recorder: Recorder) {
        self.hub = hub
        self.recorder = recorder
    }

    func receive(topic: ByteBuffer, payload: ByteBuffer) {
        let now = hub.clock.now()
        let verdict = spam.judge(at: now)
        let message = LegacyMessage.read(Array(payload.readableBytesView))
        switch (verdict, message) {
        case (.drop, _), (_, .ignored): return
        case (.kick, .request(let request)): answer([LegacyAnswer.kickedForSpam(to: request.sender)])
        case (.kick, .failure(_, let client, _)): answer([LegacyAnswer.kickedForSpam(to: client)])
        case (.fine, .failure(_, _, let text)):
            // Through the recorder too, so that it does not overtake an answer that waits for its commit.
            answer([text])
        case (.fine, .request(let request)): handle(request, now: now)
        }
    }

    func close() {}

    private func answer(_ messages: [[UInt8]]) {
        let hub = hub
        recorder.perform { _ in }.whenSuccess { Self.publish(messages, hub) }
    }

    private func handle(_ request: LegacyRequest, now: Int64) {
        let hub = hub
        recorder.perform { db in try Self.answers(to: request, now: now, db) }.whenComplete { result in
            switch result {
            case .success(let outcome):
                Self.publish(outcome.answers, hub)
                if let household = outcome.household {
                    hub.live.tell(.changed(companion: Plants.slug, what: "plants", id: ""), household: household)
                }
            case .failure(let error):
                hub.log.error("a request of the original app could not be handled", metadata: ["reason": "\(error)"])
            }
        }
    }

    private static func publish(_ messages: [[UInt8]], _ hub: Hub) {
        for message in messages {
            hub.messages.publish(topic: "\(LegacyMessage.answerTopic)", payload: ByteBuffer(bytes: message))
        }
    }

    /// What a request leads to.
    struct Outcome: Sendable {
        var answers: [[UInt8]]
        /// Whose plants changed.
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
            try db.inSavepoint {
                try db.keep(garden, ofClient: name, household: household, now: now)
                return .commit
            }
        } catch is LegacyStoreError {
            return Outcome(answers: [LegacyAnswer.error(.tooManyPlants, to: request.sender, about: request.message)])
        }
        return Outcome(answers: outcome.answers, household: household)
    }
}
