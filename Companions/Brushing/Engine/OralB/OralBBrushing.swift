import Wire

/// A brushing with an Oral-B tooth brush, as far as it was heard.
public struct OralBBrushing: Equatable, Sendable {
    /// The longest time between two advertisements, in seconds of the brush, that is counted for a sector and for pressure:
    /// of a longer one nobody knows what was done in it.
    public static let longestGap = 5
    /// The number of sectors that are told apart.
    public static let sectorCount = 7

    /// The moment of the beginning, by the clock of the listener, in milliseconds: when it was first heard, less the
    /// seconds that it had then. It stays the same, and tells brushings of a tooth brush apart.
    public let startedAt: Int64
    /// The line of models.
    public let model: OralBModel
    /// The moment when the brush was last heard, in milliseconds.
    public internal(set) var lastHeardAt: Int64
    /// The seconds of brushing by the brush's own clock, without pauses.
    public private(set) var seconds: Int
    /// The seconds in each sector, from the first to the seventh; together at most ``seconds``.
    public private(set) var sectorSeconds = [Int](repeating: 0, count: sectorCount)
    /// The seconds with high pressure, at most ``seconds``.
    public private(set) var highPressureSeconds = 0
    /// The mode at last.
    public private(set) var mode: OralBMode
    /// The number of sectors that the brush is set to; nil of one that does not say it.
    public private(set) var sectors: UInt8?
    private var sector: UInt8?
    private var isPressureHigh: Bool

    /// Begins with the first advertisement that was heard.
    init(_ advertisement: OralBAdvertisement, at now: Int64) {
        startedAt = now.minusClamped(Int64(advertisement.seconds) * 1_000)
        model = advertisement.model
        lastHeardAt = now
        seconds = advertisement.seconds
        mode = advertisement.mode
        sectors = advertisement.sectors
        sector = advertisement.sectorNumber
        isPressureHigh = advertisement.isPressureHigh
    }

    /// Goes on to an advertisement with as many seconds or more: what passed since the last one belongs to the sector and
    /// to the pressure of that.
    mutating func goOn(to advertisement: OralBAdvertisement, at now: Int64) {
        let passed = advertisement.seconds - seconds
        if passed > 0, passed <= Self.longestGap {
            if let sector, (1...Self.sectorCount).contains(Int(sector)) { sectorSeconds[Int(sector) - 1] += passed }
            if isPressureHigh { highPressureSeconds += passed }
        }
        seconds = max(seconds, advertisement.seconds)
        lastHeardAt = now
        // In another state sector, mode and pressure are what the handle shows.
        guard advertisement.state == .running else { return }
        mode = advertisement.mode
        sectors = advertisement.sectors ?? sectors
        sector = advertisement.sectorNumber
        isPressureHigh = advertisement.isPressureHigh
    }
}
