/// The order in which the quarters of the mouth are brushed; the number is that of the codec.
public enum QuarterOrder: UInt8, Sendable, CaseIterable {
    /// The clockwise order, as seen in a mirror: upper left, upper right, lower right, lower left. Older routines have
    /// it, and their bytes are zero.
    case around = 0
    /// The order of Great Teeth: upper left, upper right, lower left, lower right.
    case rows = 1

    /// The place of a repetition in the mouth, from 0 clockwise from the upper left; a quarter has one place, or two of
    /// eight. If the mouth is not divided into quarters, places and repetitions are the same.
    ///
    /// - Parameters:
    ///   - repetition: the repetition, from 0.
    ///   - repetitions: the number of repetitions.
    func place(of repetition: Int, in repetitions: Int) -> Int {
        guard self == .rows, repetitions == 4 || repetitions == 8 else { return repetition }
        let parts = repetitions / 4
        let quarter = repetition / parts
        return (quarter < 2 ? quarter : 5 - quarter) * parts + repetition % parts
    }
}
