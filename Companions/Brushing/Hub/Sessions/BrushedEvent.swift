import BrushingEngine
import Foundation
import GRDB
import HubKit
import NIOCore
import Storage

/// A message that somebody has brushed, for programs beside the hub to act on, such as those of a lamp, a door or
/// another home hub.
///
/// Published once for each session that counts, when it is stored, at quality of service 1 and not retained. A delivery
/// that is repeated says nothing again. It is no record: who was away asks the hub for the history.
struct BrushedEvent: Codable, Sendable, Equatable {
    /// The part of the day that a brushing belongs to.
    enum Slot: String, Codable, Sendable, CaseIterable { case morning, midday, evening }

    /// The session's id.
    var session: String
    /// The person who brushed.
    var person, name: String
    /// The start and the end of the session, UTC milliseconds.
    var startedAt, endedAt: Int64
    /// The time that was brushed, flossed and rinsed.
    var seconds: Int64
    var slot: Slot
    /// The number of the brushing day's sessions that count, this one among them, and the number that is asked for.
    var today, asked: Int
    /// Whether it comes late, such as from a phone that was away: nothing should be switched on by it.
    var isLate: Bool

    /// A session that ended longer ago than this comes late, milliseconds.
    static let punctualMilliseconds: Int64 = 5 * 60_000

    /// Makes the event of a stored session.
    ///
    /// - Returns: nil for a session that does not count.
    init?(_ context: SessionContext, _ db: Database) throws {
        let session = try BrushingSessionResponse.find(context.id, household: context.household.id, db)
        guard session.counts, let day = CivilDate(session.day)?.day else { return nil }
        let person = context.person
        self.session = session.id
        self.person = person.id
        name = person.name
        startedAt = session.startedAt
        endedAt = session.endedAt
        seconds = session.brushSeconds + session.flossSeconds + session.rinseSeconds
        asked = try Settings.perDay(person: person.id, db)
        let isMidday = asked > 2 && BrushingReminder.isMidday(minute: session.minute)
        slot = isMidday ? .midday : session.slot == .morning ? .morning : .evening
        today =
            try Int.fetchOne(
                db, cached: "SELECT count(*) FROM brushing_session WHERE person = ? AND day = ? AND counts",
                arguments: [person.id, day]) ?? 0
        isLate = context.now - session.endedAt > Self.punctualMilliseconds
    }

    /// The topic on which it is published. A program is granted one person's, or with `+` everybody's.
    var topic: String { Self.topic(of: person) }

    /// The topic on which a person's is published.
    static func topic(of person: String) -> String { "tandem/\(Brushing.slug)/\(person)/brushed" }

    /// Publishes the event to every program that was granted it.
    func publish(through publisher: MessagePublisher) {
        guard let payload = try? JSONEncoder().encode(self) else { return }
        publisher.publish(topic: topic, payload: ByteBuffer(bytes: payload), qualityOfService: .atLeastOnce)
    }
}
