import NIOCore

private let anyLevel = ByteBuffer(string: "+")
private let allLevels = ByteBuffer(string: "#")

/// Elements filed under topics or topic filters, one node a level. With filters as keys it finds the subscriptions to a
/// topic (`elements(matching:)`), with topics as keys the topics of a filter (`elements(under:)`).
///
/// Keys are compared byte by byte [MQTT-4.7.3-4]. The depth of recursion is that of the deepest key, which
/// `Limits.topicLevels` bounds.
struct TopicTree<Element> {
    private var element: Element?
    private var children: [ByteBuffer: TopicTree] = [:]

    private var isEmpty: Bool { element == nil && children.isEmpty }

    /// Lets `body` change what is filed under `key`; nil stands for nothing.
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

    /// What is filed under exactly `key`.
    subscript(key: ByteBuffer) -> Element? {
        var node = self
        for level in TopicLevels(key) {
            guard let child = node.children[level] else { return nil }
            node = child
        }
        return node.element
    }

    /// What is filed under each filter that matches `topic`, in no particular order.
    func elements(matching topic: ByteBuffer) -> [Element] {
        guard !children.isEmpty else { return [] }
        var found: [Element] = []
        collect(matching: TopicLevels(topic), topic.isReservedTopic, &found)
        return found
    }

    private func collect(matching levels: TopicLevels, _ isReserved: Bool, _ found: inout [Element]) {
        if !isReserved, let all = children[allLevels]?.element { found.append(all) }
        var rest = levels
        guard let level = rest.next() else {
            if let element { found.append(element) }
            return
        }
        children[level]?.collect(matching: rest, false, &found)
        if !isReserved { children[anyLevel]?.collect(matching: rest, false, &found) }
    }

    /// What is filed under each topic that `filter` matches, in no particular order.
    func elements(under filter: TopicFilter) -> [Element] {
        guard filter.hasWildcard else { return self[filter.bytes].map { [$0] } ?? [] }
        var found: [Element] = []
        collect(under: TopicLevels(filter.bytes), isFirst: true, &found)
        return found
    }

    private func collect(under levels: TopicLevels, isFirst: Bool, _ found: inout [Element]) {
        var rest = levels
        guard let level = rest.next() else {
            if let element { found.append(element) }
            return
        }
        if level.isMultiLevelWildcard {
            if !isFirst, let element { found.append(element) }
            for (key, child) in children where !(isFirst && key.isReservedTopic) {
                child.collect(under: levels, isFirst: false, &found)
            }
        } else if level.isSingleLevelWildcard {
            for (key, child) in children where !(isFirst && key.isReservedTopic) {
                child.collect(under: rest, isFirst: false, &found)
            }
        } else {
            children[level]?.collect(under: rest, isFirst: false, &found)
        }
    }
}

extension TopicTree: Sendable where Element: Sendable {}
