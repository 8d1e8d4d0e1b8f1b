import NIOCore

/// The topics that were published to lately, so that neither a topic nor its receivers are worked out for each message. A
/// shortcut: it is begun again where it would grow beyond its bounds.
struct RouteTable {
    /// Topics that are remembered.
    private let mostTopics: Int
    /// What all of them remember of their receivers together, at some 100 bytes each.
    private let mostReceivers: Int
    private var routes: [ByteBuffer: TopicRoute] = [:]
    private var receivers = 0

    init(mostTopics: Int = 10_000, mostReceivers: Int = 200_000) {
        self.mostTopics = mostTopics
        self.mostReceivers = mostReceivers
    }

    var count: Int { routes.count }

    subscript(topic: ByteBuffer) -> TopicRoute? { routes[topic] }

    /// Long topics do without it.
    mutating func insert(_ route: TopicRoute) {
        if routes.count >= mostTopics { forgetAll() }
        guard route.topic.bytes.readableBytes <= 256 else { return }
        routes[route.topic.bytes] = route
    }

    /// Its receivers were worked out.
    ///
    /// - Parameter before: how many it had.
    mutating func changed(_ route: TopicRoute, from before: Int) {
        guard route.receiverCount != before, routes[route.topic.bytes] === route else { return }
        receivers += route.receiverCount - before
        if receivers > mostReceivers { forgetAll() }
    }

    private mutating func forgetAll() {
        routes.removeAll(keepingCapacity: true)
        receivers = 0
    }
}
