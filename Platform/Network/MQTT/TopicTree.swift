import NIOCore

private let anyLevel = ByteBuffer(string: "+")
private let allLevels = ByteBuffer(string: "#")

/// A tree of elements by topic filter, one node for each level, which finds the subscriptions to a topic.
///
/// Keys are compared byte by byte [MQTT-4.7.3-4]. The depth of recursion is that of the deepest key, which
/// `Limits.topicLevels` bounds.
struct TopicTree<Element> {
    private var element: Element?
    private var children: [ByteBuffer: TopicTree] = [:]

    private var isEmpty: Bool { element == nil && children.isEmpty }

    /// Lets `body` change the element of a key; nil stands for none.
    @discardableResult
    mutating func update<Result>(_ key: ByteBuffer, _ body: (inout Element?) -> Result) -> Result {
        var levels = TopicLevels(key)
        return update(&levels, body)
    }

    private mutating func update<Result>(_ levels: inout TopicLevels, _ body: (inout Element?) -> Result) -> Result {
        guard let level = levels.next() else { return body(&element) }
        // A copy where the key is new: the slice may keep a larger buffer alive.
        let key = children[level] == nil ? ByteBuffer(bytes: level.readableBytesView) : level
        defer { if children[key]?.isEmpty == true { children[key] = nil } }
        return children[key, default: TopicTree()].update(&levels, body)
    }

    /// The elements of all filters that match `topic`, in no particular order, and the number of nodes that were
    /// visited: at most as many as there are, however many wildcards the filters have.
    func elements(matching topic: ByteBuffer) -> (found: [Element], nodes: Int) {
        guard !children.isEmpty else { return ([], 0) }
        var found: [Element] = []
        var nodes = 0
        collect(matching: TopicLevels(topic), topic.isReservedTopic, &found, &nodes)
        return (found, nodes)
    }

    private func collect(
        matching levels: TopicLevels, _ isReserved: Bool, _ found: inout [Element], _ nodes: inout Int
    ) {
        nodes += 1
        if !isReserved, let all = children[allLevels]?.element { found.append(all) }
        var rest = levels
        guard let level = rest.next() else {
            if let element { found.append(element) }
            return
        }
        children[level]?.collect(matching: rest, false, &found, &nodes)
        if !isReserved { children[anyLevel]?.collect(matching: rest, false, &found, &nodes) }
    }
}

extension TopicTree: Sendable where Element: Sendable {}
