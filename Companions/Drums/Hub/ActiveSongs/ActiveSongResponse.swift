import DrumsEngine
import HubKit

/// A song that is being played, as pages get it.
struct ActiveSongResponse: Codable, Sendable {
    var id, person: String
    var song: DrumSessionResponse.SongSummary
    var level: Int
    var mode: PlayMode.Name
    var link: LinkKind.Name
    /// The number of beats that were asked for so far, and that of the whole song.
    var beat, beats: Int
    /// UTC milliseconds.
    var since, seenAt: Int64
    /// The name by which the browser that plays it calls itself.
    var agent: String
    /// Whether it is played by the very page that asks.
    var isHere: Bool
    /// Whether that page may take it up.
    var mayGoOn: Bool

    /// Answers a song as far as it was played; nil where today's engine refuses it.
    ///
    /// - Parameter member: whose page asks.
    init?(_ unread: UnreadActiveSession, for member: Member, _ sessions: ActiveSessions<DrumSessionDefinition>) {
        guard let session = sessions.session(unread)?.session else { return nil }
        let (record, setup, view) = (unread.record, session.setup, session.view)
        id = record.id
        person = record.person
        song = .init(
            id: String(decoding: setup.songID, as: UTF8.self),
            title: String(decoding: setup.songTitle, as: UTF8.self).withoutUnseenCharacters)
        level = Int(setup.level.rawValue)
        mode = setup.mode.name
        link = view.link.name
        (beat, beats) = (view.beatsAsked, view.beatCount)
        (since, seenAt) = (record.startedAt, record.seenAt)
        agent = record.agent
        isHere = record.signIn == member.signIn
        mayGoOn = unread.mayGoOn
    }
}
