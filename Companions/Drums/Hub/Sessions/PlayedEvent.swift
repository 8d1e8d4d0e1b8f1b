import Foundation
import GRDB
import HubKit
import NIOCore
import Storage

/// A message that somebody has played a song, for programs beside the hub to act on.
///
/// Published once for each session, when it is stored, at quality of service 1 and not retained. A delivery that is repeated
/// says nothing again.
struct PlayedEvent: Codable, Sendable, Equatable {
    /// The session's id.
    var session: String
    /// The person who played.
    var person, name: String
    /// The song, and its title.
    var song, title: String
    /// The start and the end of the session, UTC milliseconds.
    var startedAt, endedAt: Int64
    /// Whether it comes late, such as from a phone that was away: nothing should be switched on by it.
    var isLate: Bool

    /// A session that ended longer ago than this comes late, milliseconds.
    private static let punctualMilliseconds: Int64 = 5 * 60_000

    /// Makes the event of a stored session.
    ///
    /// - Returns: nil for one that is not there.
    init?(_ context: SessionContext, _ db: Database) throws {
        let row = try Row.fetchOne(
            db,
            cached: """
                SELECT song_id, song_title, started_at, ended_at FROM drums_session WHERE household = ? AND id = ?
                """, arguments: [context.household.id, context.id])
        guard let row else { return nil }
        session = context.id
        person = context.person.id
        name = context.person.name
        (song, title, startedAt, endedAt) = (row[0], row[1], row[2], row[3])
        isLate = context.now - endedAt > Self.punctualMilliseconds
    }

    /// The topic on which a person's is published.
    static func topic(of person: String) -> String { "tandem/\(Drums.slug)/\(person)/played" }

    /// Publishes the event to every program that was granted it.
    func publish(through publisher: MessagePublisher) {
        guard let payload = try? JSONEncoder().encode(self) else { return }
        publisher.publish(
            topic: Self.topic(of: person), payload: ByteBuffer(bytes: payload), qualityOfService: .atLeastOnce)
    }
}
