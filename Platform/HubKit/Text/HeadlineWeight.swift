/// The importance of a companion's headline among those of the others; the most important one is at the top of Today.
public enum HeadlineWeight: Int, Codable, Sendable, CaseIterable, Comparable {
    /// No news yet.
    case nothing = 0
    /// All is done, or well.
    case well = 1
    /// A person should look at it.
    case look = 2
    /// A task is waiting to be done.
    case due = 3

    public static func < (left: HeadlineWeight, right: HeadlineWeight) -> Bool { left.rawValue < right.rawValue }
}
