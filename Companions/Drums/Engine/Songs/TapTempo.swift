/// The tempo of a recording, from taps along with it.
///
/// Every tap is a beat, the first one the first of a bar. The tempo is the median of the time from each tap to the next,
/// where a tap that was left out is made good: a distance of about two or three beats counts as so many. The offset is
/// the median of what each tap says of it. Medians, so that one slip of the hand does not move either.
public struct TapTempo: Sendable {
    /// The tempo and offset of a tapping that was good enough.
    public struct Answer: Sendable, Equatable {
        /// The length of a beat.
        public var microsecondsPerBeat: UInt32
        /// The start of the first bar of the recording, milliseconds from the recording's start: less than a bar.
        public var offsetMilliseconds: Int32
        /// The spread of the taps, milliseconds: the interquartile range about the beat.
        public var spreadMilliseconds: Int32
    }

    /// The reason why taps give no tempo.
    public enum Failure: UInt8, Error, Sendable, Equatable, CaseIterable {
        /// The taps are fewer than ``TapTempo/fewest``.
        case tooFew = 1
        /// The middle half of the taps lies farther apart than a fifth of a beat.
        case uneven
        /// The tempo is slower than 30 or faster than 300 beats a minute.
        case outOfRange
    }

    /// The least number of taps: with seven distances a median has three on either side.
    public static let fewest = 8
    /// The most taps that are stored; further ones take the place of the oldest.
    public static let most = 256
    /// The range of a beat, microseconds: from 300 beats a minute to 30.
    public static let range: ClosedRange<Int64> = 200_000...2_000_000

    /// The taps, in microseconds of the recording.
    private var taps: [Int64] = []
    /// The latency of the sound to the ear and of the finger to the page.
    private let latencyMicroseconds: Int64

    /// A tapping that begins.
    ///
    /// - Parameter latencyMicroseconds: taken off each tap.
    public init(latencyMicroseconds: Int64 = 0) {
        self.latencyMicroseconds = min(max(latencyMicroseconds, 0), 1_000_000)
    }

    /// The number of taps.
    public var count: Int { taps.count }

    /// Adds a tap. A tap that is not later than the one before, as when somebody goes back in the recording, begins
    /// anew.
    ///
    /// - Parameter position: of the recording at the tap.
    public mutating func tap(atMicroseconds position: Int64) {
        let position = min(max(position, 0), 100_000_000_000) - latencyMicroseconds
        if let last = taps.last, position <= last { taps = [] }
        taps.append(position)
        if taps.count > Self.most { taps.removeFirst() }
    }

    /// The tempo and offset by the taps.
    public func answer(beatsPerBar: Int) throws(Failure) -> Answer {
        guard taps.count >= Self.fewest else { throw .tooFew }
        var distances: [Int64] = []
        for index in 1..<taps.count { distances.append(taps[index] - taps[index - 1]) }
        let rough = max(median(distances), 1)
        var even: [Int64] = []
        var beats: [Int64] = [0]
        for distance in distances {
            let count = max((distance + rough / 2) / rough, 1)
            even.append(distance / count)
            beats.append(beats[beats.count - 1] + count)
        }
        let distance = median(even)
        guard Self.range.contains(distance) else { throw .outOfRange }
        // The slope through far taps is finer than that of one beat: Theil and Sen's, of taps half the song apart.
        let period = slope(beats) ?? distance
        guard Self.range.contains(period) else { throw .outOfRange }
        var starts: [Int64] = []
        for index in 0..<taps.count { starts.append(taps[index] - beats[index] * period) }
        starts.sort()
        let spread = starts[starts.count * 3 / 4] - starts[starts.count / 4]
        guard spread * 5 <= period else { throw .uneven }
        let bar = period * Int64(min(max(beatsPerBar, 1), Int(Song.Limits.beatsPerBar.upperBound)))
        let first = median(starts)
        let offset = ((first % bar) + bar) % bar
        return Answer(
            microsecondsPerBeat: UInt32(clamping: period), offsetMilliseconds: Int32(clamping: (offset + 500) / 1_000),
            spreadMilliseconds: Int32(clamping: (spread + 500) / 1_000))
    }

    /// The median of the beat's length by each pair of taps that lie half of all taps apart.
    private func slope(_ beats: [Int64]) -> Int64? {
        let half = taps.count / 2
        var slopes: [Int64] = []
        for index in half..<taps.count {
            let span = beats[index] - beats[index - half]
            if span > 0 { slopes.append((taps[index] - taps[index - half] + span / 2) / span) }
        }
        return slopes.isEmpty ? nil : median(slopes)
    }

    /// The median of at least one value; the lower and the upper middle one are averaged.
    private func median(_ values: [Int64]) -> Int64 {
        let sorted = values.sorted()
        let upper = sorted[sorted.count / 2]
        return sorted.count % 2 == 1 ? upper : (sorted[sorted.count / 2 - 1] + upper) / 2
    }
}
