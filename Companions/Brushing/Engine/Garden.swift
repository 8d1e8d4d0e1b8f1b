/// What grows with brushing: each session that counts is one more leaf on the youngest tree. When a tree has all its leaves
/// it bears fruit for good, and the next one is planted beside it.
///
/// It is counted from all sessions alone, so a missed day costs nothing: the tree waits. Great Teeth had medals only, which
/// end; Pokémon Smile's collection ends too.
public struct Garden: Sendable, Equatable {
    /// The leaves of a whole tree: four weeks of brushing twice a day.
    public static let leavesPerTree = 56

    /// Trees that have all their leaves.
    public let trees: Int
    /// Leaves of the one that grows, 0 ..< ``leavesPerTree``.
    public let leaves: Int

    /// - Parameter sessions: all sessions that count; less than none is none.
    public init(sessions: Int) {
        let sessions = max(sessions, 0)
        trees = sessions / Self.leavesPerTree
        leaves = sessions % Self.leavesPerTree
    }

    /// Leaves until the tree is whole, 1 ... ``leavesPerTree``.
    public var leavesToGrow: Int { Self.leavesPerTree - leaves }

    /// Whether the newest session has made a tree whole.
    public var isJustWhole: Bool { trees > 0 && leaves == 0 }
}

extension BrushingProgress {
    /// What has grown of all sessions.
    public var garden: Garden { Garden(sessions: sessions) }
}
