/// A queue in which owners take turns, however much of theirs is waiting, with limits for each owner and in total.
package struct FairQueue<Element> {
    let perOwner, total: Int
    private var waiting: [String: [Element]] = [:]
    /// The owners who have elements waiting, in the order of their turns.
    private var turns: [String] = []
    /// The number of elements that are waiting.
    package private(set) var count = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - perOwner: the number of elements of one owner, at most.
    ///   - total: the number of elements of all, at most.
    package init(perOwner: Int, total: Int) {
        self.perOwner = perOwner
        self.total = total
    }

    /// Appends an element.
    ///
    /// - Returns: false if there is no room for it.
    package mutating func append(_ element: Element, of owner: String) -> Bool {
        let own = waiting[owner]?.count ?? 0
        guard count < total, own < perOwner else { return false }
        if own == 0 { turns.append(owner) }
        waiting[owner, default: []].append(element)
        count += 1
        return true
    }

    /// Removes the oldest element of the owner whose turn it is.
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
