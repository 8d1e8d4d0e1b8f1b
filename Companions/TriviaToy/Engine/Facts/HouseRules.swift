/// The rules of a household for a child's toy. The toy follows them by itself, with and without the hub.
public struct HouseRules: Equatable, Sendable {
    /// The start of quiet hours, in minutes after local midnight, 0...1439. Equal to ``quietEnd`` for none.
    public var quietStart: UInt16 = 0
    /// The end of quiet hours, in minutes after local midnight; earlier than the start for a night.
    public var quietEnd: UInt16 = 0
    /// The number of facts in a local day, at most; ``unlimited`` for no limit.
    public var dailyLimit: UInt16 = HouseRules.unlimited
    /// The loudest that the toy speaks, in the speech module's decibels, -48...18.
    public var volumeCap: Int8 = 18
    /// The speed of speech, in words a minute, 75...600.
    public var wordsPerMinute: UInt16 = 150
    /// The voice, 0...8.
    public var voice: UInt8 = 0
    /// Whether the toy speaks while it does not know the time, after its battery was changed: quiet hours cannot be
    /// kept then. With quiet hours and without this, it is silent until the hub has told it the time.
    public var speaksWithoutClock = true
    /// Whether the original's rule for throws is used instead of the better one.
    public var usesOriginalThrowRule = false

    /// The value for no daily limit.
    public static var unlimited: UInt16 { .max }

    /// Creates rules without limits, with the original's voice and speed.
    public init() {}

    /// The reason why the toy is silent.
    public enum Silence: UInt8, Sendable {
        case quietHours = 1
        case dailyLimit = 2
        case unknownTime = 3
    }

    /// Whether quiet hours are set.
    public var hasQuietHours: Bool { quietStart != quietEnd }

    /// Whether a minute of the day lies in the quiet hours.
    public func isQuiet(minuteOfDay minute: UInt16) -> Bool {
        if quietStart <= quietEnd { return minute >= quietStart && minute < quietEnd }
        return minute >= quietStart || minute < quietEnd
    }

    /// The reason why the toy must not speak now; nil if it may.
    ///
    /// - Parameters:
    ///   - minuteOfDay: the local time in minutes; nil while the time is unknown.
    ///   - playedToday: the number of facts spoken on this local day.
    public func silence(minuteOfDay: UInt16?, playedToday: UInt16) -> Silence? {
        if let minuteOfDay {
            if isQuiet(minuteOfDay: minuteOfDay) { return .quietHours }
        } else if hasQuietHours, !speaksWithoutClock {
            return .unknownTime
        }
        if dailyLimit != Self.unlimited, playedToday >= dailyLimit { return .dailyLimit }
        return nil
    }

    /// The reason why these rules are invalid; nil if they are valid.
    public var fault: MessageFault? {
        guard quietStart < 1_440, quietEnd < 1_440 else { return .outOfRange(.quietHours) }
        guard (-48...18).contains(volumeCap) else { return .outOfRange(.volume) }
        guard (75...600).contains(wordsPerMinute) else { return .outOfRange(.rate) }
        guard voice <= 8 else { return .outOfRange(.voice) }
        return nil
    }
}
