import DrumsEngine
import HubKit
import Localization

/// The setup of a song now: the person's settings, and over them what their plan decides.
struct PlayResponse: Codable, Sendable {
    struct Stop: Codable, Sendable, Equatable {
        /// The time at which a song stops; nought is no rule.
        var milliseconds: Int64
        var belowPercent: Int
        var beats: Int
    }

    /// The least time of a day's minutes that is worth another song, milliseconds: no song is shorter.
    static let leastLeft: Int64 = 10_000

    var drums: [Bool]
    var level: Int
    var mode: PlayMode.Name
    var hands: Hands.Name
    var countIn: Int
    /// The tempo in percent of the song's own, with the words about where it comes from.
    var tempoPercent: Int
    var tempoWords: String?
    var stop: Stop
    /// The songs that may be played; nil where all may be.
    var songs: [String]?
    var suggested: [String]
    /// Whether the plan's minutes of today are done.
    var isOver: Bool
    /// The settings that the plan decides.
    var fixed: [String]
    var words: String?
    /// The questions before and after a song; nil where the plan asks for nothing, and where the page may not see the
    /// plan.
    var selfReport: SelfReportQuestionsResponse?

    /// Sets up a song.
    ///
    /// - Parameter practisedToday: milliseconds.
    init(_ settings: PracticeSettings, plan: PracticePlan?, practisedToday: Int64, in localized: Localizer) {
        drums = (plan?.drums).map { DrumSet(rawValue: $0).flags } ?? settings.drumSet.flags
        level = plan?.level ?? settings.level
        mode = settings.mode
        hands = settings.hands
        countIn = settings.countIn
        tempoPercent = plan?.tempoPercent ?? settings.tempoPercent
        tempoWords =
            if let plan, let percent = plan.tempoPercent {
                localized("\(percent)% of each song’s own tempo, set by the plan of \(plan.setBy).")
            } else if settings.tempoPercent == SessionRules.ownTempo {
                localized("Each song as it is written.")
            } else {
                localized("\(settings.tempoPercent)% of each song’s own tempo, as chosen in the settings.")
            }
        let left = Self.left(of: plan, practisedToday: practisedToday)
        isOver = left.map { $0 < Self.leastLeft } ?? false
        let session = (plan?.minutesPerSession).map { Int64($0) * 60_000 }
        // Minutes that are used up are a rule too: who plays all the same is done after the first beat.
        stop = Stop(
            milliseconds: [session, left].compactMap { $0 }.min().map { max($0, 1) } ?? 0,
            belowPercent: plan?.belowPercent ?? 0,
            beats: plan?.beats ?? 10)
        let chosen = plan?.songIDs ?? []
        songs = plan?.isOnlySongs == true ? chosen : nil
        suggested = chosen
        let decided: [(field: String, words: LocalizedText)?] = [
            plan?.level.map { _ in ("level", LocalizedText("the level")) },
            plan?.drums.map { _ in ("drums", LocalizedText("the drums")) },
            plan?.tempoPercent.map { _ in ("tempoPercent", LocalizedText("the tempo")) },
        ]
        let byPlan = decided.compactMap { $0 }
        fixed = byPlan.map(\.field)
        if isOver, let minutes = plan?.minutesPerDay {
            words = localized("Today’s \(minutes) minutes are done. More tomorrow.")
        } else if let plan, !byPlan.isEmpty {
            words = localized("The plan of \(plan.setBy) sets \(list: byPlan.map(\.words)).")
        }
    }

    /// Milliseconds of today's minutes that are left; nil where the plan has no such rule.
    static func left(of plan: PracticePlan?, practisedToday: Int64) -> Int64? {
        (plan?.minutesPerDay).map { max(0, Int64($0) * 60_000 - practisedToday) }
    }
}
