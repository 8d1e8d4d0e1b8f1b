/// In which order the quarters of the mouth are brushed; the number is that of the codec.
public enum QuarterOrder: UInt8, Sendable, CaseIterable {
    /// With the clock, as one stands before a mirror: upper left, upper right, lower right, lower left. All routines of
    /// before had it, and their bytes say nought.
    case around = 0
    /// Great Teeth's: upper left, upper right, lower left, lower right.
    case rows = 1

    /// Where a repetition is brushed, from 0 with the clock, beginning at the upper left; a quarter has one such place, or
    /// two of eight. Where the mouth is not parted into quarters, places and repetitions are the same.
    ///
    /// - Parameters:
    ///   - repetition: from 0.
    ///   - repetitions: how many there are.
    func place(of repetition: Int, in repetitions: Int) -> Int {
        guard self == .rows, repetitions == 4 || repetitions == 8 else { return repetition }
        let parts = repetitions / 4
        let quarter = repetition / parts
        return (quarter < 2 ? quarter : 5 - quarter) * parts + repetition % parts
    }
}
