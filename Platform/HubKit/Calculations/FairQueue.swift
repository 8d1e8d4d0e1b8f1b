/// What waits, by whose it is: each takes turns with the others, however much of theirs waits, and there is no more of
/// one, and of all, than fits.
package struct FairQueue<Element> {
    let perOwner, total: Int
    private var waiting: [String: [Element]] = [:]
    /// Who has something waiting, in the order of their turns.
    private var turns: [String] = []
    package private(set) var count = 0

    /// - Parameters:
    ///   - perOwner: the most that waits of one.
    ///   - total: the most that waits of all.
    package init(perOwner: Int, total: Int) {
        self.perOwner = perOwner
        self.total = total
    }

    /// - Returns: whether there was room for it.
    package mutating func append(_ element: Element, of owner: String) -> Bool {
        let own = waiting[owner]?.count ?? 0
        guard count < total, own < perOwner else { return false }
        if own == 0 { turns.append(owner) }
        waiting[owner, default: []].append(element)
        count += 1
        return true
    }

    /// The oldest of whoever's turn it is.
    package mutating func popFirst() -> Element? {
        guard !turns.isEmpty else { return nil }
        let owner = turns.removeFirst()
        guard var own = waiting.removeValue(forKey: owner), !own.isEmpty else { return nil }
        let element = own.removeFirst()
        count -= 1
        if !own.isEmpty {
            waiting[owner] = own
            turns.append(owner)
        }
        return element
    }
}
