/// The timing window of one player, which follows the player's own hits.
///
/// A window that is the same for everybody tells a hand that is slower than others' nothing but that it is slower. This
/// one lies where this player's hits lie, and is as wide as they are spread, so that nine of ten usual hits are on the
/// beat for anybody; what it tells is whether a hit was as one's own hits are.
///
/// The rule, for the errors (hit less beat, milliseconds) of one person, one hand and one class of links:
/// - Learnt from are the last ``memory`` errors of sessions in flow mode, all of them, those outside of the window too:
///   else a window that is too narrow would only ever see what fits it.
/// - Below ``leastCount`` errors it is ``TimingWindow/initial``: the standard error of a median of 20 is a quarter of
///   the hits' own standard deviation, that of fewer could be most of the window.
/// - Its centre is to be their median, within ``SessionRules/windowCentre``: later than 150 ms after a beat, at eighths
///   of 120 beats a minute, is nearer to the next.
/// - Half its width is to be ``widthPercent`` hundredths of their interquartile range: 1.25 of it is 1.69 standard
///   deviations of a normal distribution, which holds 91 % of the hits. It stays within ``SessionRules/windowHalf``: 70
///   ms is what rhythm games give to everybody (YARG's drums), and nobody should have less for playing evenly; two
///   windows of 350 ms meet between beats at 84 a minute, the library's usual tempo.
/// - Neither changes by more than ``step`` from one session to the next: one song at which nobody looked, or another
///   kit, does not move it far, and a change that lasts arrives within a few days.
public struct AdaptiveWindow: Sendable, Equatable {
    /// The number of errors that are looked at, about two songs.
    public static let memory = 60
    /// The number of errors before the window moves.
    public static let leastCount = 20
    /// Half of the window's width, in percent of the interquartile range.
    public static let widthPercent: Int64 = 125
    /// The most that centre and half width change after one session, milliseconds.
    public static let step: Int64 = 40
    /// The age in days from which on sessions are not learnt from: children grow.
    public static let days: Int32 = 90

    /// The window now.
    public private(set) var timing = TimingWindow.initial
    /// The last errors, the latest last.
    private var errors: [Int32] = []

    /// The window of somebody who has not played in flow mode.
    public init() {}

    /// The number of errors that the window is learnt from; 0 while it has not moved.
    public var count: Int { errors.count < Self.leastCount ? 0 : errors.count }

    /// Learns from one session's errors, in their order.
    ///
    /// - Parameter errors: milliseconds; those beyond a second either way are no hits of that beat and are left out.
    public mutating func learn(_ errors: [Int32]) {
        let close = errors.filter { abs(Int64($0)) <= SessionRules.openAfterBeat }
        guard !close.isEmpty else { return }
        self.errors.append(contentsOf: close.suffix(Self.memory))
        if self.errors.count > Self.memory { self.errors.removeFirst(self.errors.count - Self.memory) }
        guard self.errors.count >= Self.leastCount, let spread = Distribution(milliseconds: self.errors) else { return }
        let centre = Self.rounded(Int64(spread.medianTenths), 10)
        let range = Int64(spread.upperQuartileTenths) - Int64(spread.lowerQuartileTenths)
        let half = Self.rounded(range * Self.widthPercent, 1_000)
        timing = TimingWindow(
            centreMilliseconds: Int16(
                Self.moved(
                    Int64(timing.centreMilliseconds), to: centre, within: Int64(SessionRules.windowCentre.lowerBound),
                    Int64(SessionRules.windowCentre.upperBound))),
            halfMilliseconds: UInt16(
                Self.moved(
                    Int64(timing.halfMilliseconds), to: half, within: Int64(SessionRules.windowHalf.lowerBound),
                    Int64(SessionRules.windowHalf.upperBound))))
    }

    private static func moved(_ now: Int64, to aim: Int64, within least: Int64, _ most: Int64) -> Int64 {
        let aim = min(max(aim, least), most)
        return min(max(aim, now - step), now + step)
    }

    /// The quotient, rounded to the nearest, halves away from zero.
    private static func rounded(_ value: Int64, _ divisor: Int64) -> Int64 {
        (value + (value < 0 ? -divisor / 2 : divisor / 2)) / divisor
    }
}

extension TimingWindow {
    /// The window of somebody without any hits: wide enough for a first song.
    public static let initial = TimingWindow(centreMilliseconds: 0, halfMilliseconds: 200)

    /// Whether it comes from the player's own hits.
    public var isLearnt: Bool { self != .initial }
}
