import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// What is being played, as far as the hub has been told.
struct RunningRecord: Storage.TableRecord {
    static let databaseTableName = "drums_running"
    /// How long the hub waits for a page that was playing, milliseconds; then the session is over as the engine has it
    /// too.
    static let patience = SessionRules.longestAbsence
    /// The most that run at once in a household: each person's, some times over.
    static let most = 64

    var household: String
    var id: String
    var person: String
    /// In the engine's codec.
    var content: Data
    /// Whose page told the last of it.
    var signIn: String
    /// What that browser calls itself.
    var agent: String
    /// UTC milliseconds.
    var startedAt: Int64
    /// When it last grew, by the hub's clock.
    var seenAt: Int64
    /// How often the hub tried to store it since then, for a page that did not come back.
    var tries = 0
    /// When it tries again; nil for at once.
    var retryAt: Int64?
    /// Why it could not be stored, for an adult to read.
    var reason: String?
    /// Since when it is not tried any more but when the hub starts; nil while it is.
    var parkedAt: Int64?

    /// Nil where today's engine refuses the events.
    var session: DrumSession? { try? DrumSession.decoded(Array(content)) }

    /// Whether a page may take it up, and with that see every hit of it: of whoever may look at it anyway, the page that
    /// plays it, and one that the family shares.
    func mayGoOn(at member: Member, of person: PersonRecord, _ hub: Hub) -> Bool {
        let policy = hub.policy
        return policy.allowsReading(member, of: person, now: hub.clock.now())
            || policy.allowsSession(member, of: person) && (signIn == member.signIn || member.isShared)
    }

    /// A page tells of a session that another device plays.
    static let elsewhere = Problem(
        .conflict, "Played elsewhere",
        "Another device went on with this session, and it stays as that one plays it. End it there, or go on with it here.",
        field: "events")

    /// A page tells of a session that is over.
    static let over = Problem(
        .conflict, "Over already",
        "This session is over: another device ended it, or the hub did when nobody came back to it. What you still play counts when it is delivered at its end.",
        field: "events")
}

/// What is being played, as pages get it.
struct RunningReply: Codable, Sendable {
    var id, person: String
    var song: DrumSessionReply.SongPart
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

    /// Of a household, the one that was heard of last first; those that today's engine refuses, and those that are parked,
    /// are left out.
    static func all(for member: Member, hub: Hub, _ db: Database) throws -> [RunningReply] {
        try RunningRecord.fetchAll(
            db,
            sql: "SELECT * FROM drums_running WHERE household = ? AND parked_at IS NULL ORDER BY seen_at DESC, id",
            arguments: [member.household]
        ).compactMap { record in
            guard let session = record.session, let person = try PersonRecord.fetchOne(db, key: record.person) else {
                return nil
            }
            let (setup, view) = (session.setup, session.view)
            return RunningReply(
                id: record.id, person: record.person,
                song: .init(
                    id: String(decoding: setup.songID, as: UTF8.self),
                    title: String(decoding: setup.songTitle, as: UTF8.self)),
                level: Int(setup.level.rawValue), mode: setup.mode.name, link: view.link.name, beat: view.beatsAsked,
                beats: view.beatCount, since: record.startedAt, seenAt: record.seenAt, agent: record.agent,
                isHere: record.signIn == member.signIn, mayGoOn: record.mayGoOn(at: member, of: person, hub))
        }
    }
}
