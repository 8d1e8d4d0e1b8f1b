import DrumsEngine
import HubKit
import Storage

extension ResultRecord {
    /// Records what today's engine makes of a session.
    ///
    /// - Parameter branch: what of it counts elsewhere.
    init(
        _ session: DrumSession, _ origin: SessionOrigin, of person: PersonRecord, _ household: HouseholdRecord,
        _ moment: (day: Int32, minute: Int32), branch: SessionBranchRecord? = nil
    ) {
        let result = branch.map { session.result(after: $0.common) } ?? session.result
        let setup = session.setup
        let told = ReactionClock.most(of: result.beats)
        let reaction = told?.reactions
        let forkBeats = branch.map { session.beatsJudged(by: $0.common) } ?? 0
        self.init(
            household: household.id, id: origin.id, person: person.id, day: moment.day, minute: moment.minute,
            startedAt: result.startedAt, endedAt: result.endedAt, milliseconds: result.milliseconds,
            songId: String(decoding: setup.songID, as: UTF8.self),
            songTitle: String(decoding: setup.songTitle, as: UTF8.self).withoutUnseenCharacters,
            level: Int(setup.level.rawValue),
            mode: setup.mode.name, hands: setup.hands.name, link: setup.link.name, beats: result.beats.count,
            judged: result.judged, answered: result.answered, right: result.right,
            reactionClock: told?.clock, reactionCount: reaction?.count ?? 0,
            reactionLowerTenths: reaction?.lowerQuartileTenths, reactionMedianTenths: reaction?.medianTenths,
            reactionUpperTenths: reaction?.upperQuartileTenths, forceCount: result.force?.count ?? 0,
            forceLowerTenths: result.force?.lowerQuartileTenths, forceMedianTenths: result.force?.medianTenths,
            forceUpperTenths: result.force?.upperQuartileTenths, latencyCount: result.latency?.count ?? 0,
            latencyLowerTenths: result.latency?.lowerQuartileTenths, latencyMedianTenths: result.latency?.medianTenths,
            latencyUpperTenths: result.latency?.upperQuartileTenths, implausible: result.implausible,
            waits: result.waits, lostMilliseconds: result.lostMilliseconds, stray: result.stray,
            end: (session.end ?? .left).name, isClosedByHub: session.isClosedByHub, forkOf: branch?.of,
            forkEvents: branch?.common,
            forkBeats: forkBeats, tempoPercent: Int(setup.tempoPercent),
            timing: TimingErrors(setup.mode == .flow ? result.beats : []).bytes,
            played: PlayedBeats(session, after: forkBeats).bytes)
    }
}
