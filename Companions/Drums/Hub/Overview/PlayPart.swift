import DrumsEngine
import HubKit
import Localization

/// What a song is set up with now: somebody's settings, and over them what their plan decides.
struct PlayPart: Codable, Sendable {
    struct Stop: Codable, Sendable, Equatable {
        /// Nought is no rule.
        var milliseconds: Int64
        var belowPercent: Int
        var beats: Int
    }

    /// With less than this left of a day's minutes, they are done, milliseconds: no song is that short.
    static let leastLeft: Int64 = 10_000

    var drums: [Bool]
    var level: Int
    var mode: PlayMode.Name
    var hands: Hands.Name
    var countIn: Int
    var stop: Stop
    /// Nil where all songs may be played.
    var songs: [String]?
    var suggested: [String]
    /// Whether the plan's minutes of today are done.
    var isOver: Bool
    /// The settings that the plan decides.
    var fixed: [String]
    var words: String?

    /// - Parameter practisedToday: milliseconds.
    init(_ settings: PracticeSettings, plan: PracticePlan?, practisedToday: Int64, in localized: Localizer) {
        drums = (plan?.drums).map { DrumSet(rawValue: $0).flags } ?? settings.drumSet.flags
        level = plan?.level ?? settings.level
        mode = settings.mode
        hands = settings.hands
        countIn = settings.countIn
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
        fixed = [plan?.level.map { _ in "level" }, plan?.drums.map { _ in "drums" }].compactMap { $0 }
        if isOver, let minutes = plan?.minutesPerDay {
            words = localized("Today’s \(minutes) minutes are done. More tomorrow.")
        } else if let plan {
            words =
                switch (plan.level, plan.drums) {
                case (nil, nil): nil
                case (_?, nil): localized("The plan of \(plan.setBy) sets the level.")
                case (nil, _?): localized("The plan of \(plan.setBy) sets the drums.")
                case (_?, _?): localized("The plan of \(plan.setBy) sets the level and the drums.")
                }
        }
    }

    /// Milliseconds of today's minutes that are left; nil where the plan has no such rule.
    static func left(of plan: PracticePlan?, practisedToday: Int64) -> Int64? {
        (plan?.minutesPerDay).map { max(0, Int64($0) * 60_000 - practisedToday) }
    }
}
