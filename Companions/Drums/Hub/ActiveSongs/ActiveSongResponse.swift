import DrumsEngine
import GRDB
import HubKit
import Storage

/// What is being played, as pages get it.
struct ActiveSongResponse: Codable, Sendable {
    var id, person: String
    var song: DrumSessionResponse.SongPart
    var level: Int
    var mode: PlayMode.Name
    var link: LinkKind.Name
    /// Asked for so far, and in the whole song.
    var beat, beats: Int
    /// UTC milliseconds.
    var since, seenAt: Int64
    /// What the browser that plays it calls itself.
    var agent: String
    /// Whether it is played by the very page that asks.
    var isHere: Bool
    /// Whether that page may take it up.
    var mayGoOn: Bool

    /// Of a household, the one that was heard of last first; those that today's engine refuses, and those that are
    /// marked as failed, are left out, and a device's own copies of what went on elsewhere.
    static func all(for member: Member, hub: Hub, _ db: Database) throws -> [ActiveSongResponse] {
        let sessions = ActiveSessions(DrumSessionFormat(), hub: hub)
        return try ActiveSessionRecord.fetchAll(
            db,
            sql: """
                SELECT * FROM active_session WHERE household = ? AND companion = ? AND session = id
                AND parked_at IS NULL ORDER BY seen_at DESC, id
                """, arguments: [member.household, Drums.slug]
        ).compactMap { record in
            guard let session = try? DrumSession.decoded(try sessions.content(of: record, db)),
                let person = try PersonRecord.fetchOne(db, key: record.person)
            else { return nil }
            let (setup, view) = (session.setup, session.view)
            return ActiveSongResponse(
                id: record.id, person: record.person,
                song: .init(
                    id: String(decoding: setup.songID, as: UTF8.self),
                    title: String(decoding: setup.songTitle, as: UTF8.self)),
                level: Int(setup.level.rawValue), mode: setup.mode.name, link: view.link.name, beat: view.beatsAsked,
                beats: view.beatCount, since: record.startedAt, seenAt: record.seenAt, agent: record.agent,
                isHere: record.signIn == member.signIn, mayGoOn: sessions.mayGoOn(record, at: member, of: person))
        }
    }
}
