/// How much a companion's headline matters among those of the others: the weightiest stands above Today.
public enum HeadlineWeight: Int, Codable, Sendable, CaseIterable, Comparable {
    /// Nothing has begun.
    case nothing = 0
    /// All is done, or well.
    case well = 1
    /// Somebody should look.
    case look = 2
    /// Something waits to be done.
    case due = 3

    public static func < (left: HeadlineWeight, right: HeadlineWeight) -> Bool { left.rawValue < right.rawValue }
}
