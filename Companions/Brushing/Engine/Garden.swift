/// The trees that grow with brushing: each session that counts is a leaf on the youngest tree. A tree with all its
/// leaves bears fruit for good, and the next one is planted beside it.
///
/// It depends on the number of sessions only, so a missed day costs nothing: the tree waits. Great Teeth had medals
/// only, which end; Pokémon Smile's collection ends too.
public struct Garden: Sendable, Equatable {
    /// The number of leaves of a whole tree: four weeks of brushing twice a day.
    public static let leavesPerTree = 56

    /// The number of trees that have all their leaves.
    public let trees: Int
    /// The number of leaves of the growing tree, 0 ..< ``leavesPerTree``.
    public let leaves: Int

    /// Creates the garden of some number of sessions.
    ///
    /// - Parameter sessions: the number of sessions that count; a negative one is taken as 0.
    public init(sessions: Int) {
        let sessions = max(sessions, 0)
        trees = sessions / Self.leavesPerTree
        leaves = sessions % Self.leavesPerTree
    }

    /// The number of leaves until the tree is whole, 1 ... ``leavesPerTree``.
    public var leavesToGrow: Int { Self.leavesPerTree - leaves }

    /// Whether the newest session has made a tree whole.
    public var isJustWhole: Bool { trees > 0 && leaves == 0 }
}

extension BrushingProgress {
    /// The garden of all sessions.
    public var garden: Garden { Garden(sessions: sessions) }
}
