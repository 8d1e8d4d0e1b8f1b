import NIOCore

/// A cache of recently used topics with their receivers, so that they need not be looked up for each message. It is
/// emptied when it reaches its limits.
struct RouteTable {
    /// The number of topics that are cached.
    private let mostTopics: Int
    /// The number of receivers of all cached topics together, at some 100 bytes each.
    private let mostReceivers: Int
    private var routes: [ByteBuffer: TopicRoute] = [:]
    private var receivers = 0

    init(mostTopics: Int = 10_000, mostReceivers: Int = 200_000) {
        self.mostTopics = mostTopics
        self.mostReceivers = mostReceivers
    }

    var count: Int { routes.count }

    subscript(topic: ByteBuffer) -> TopicRoute? { routes[topic] }

    /// Adds a route, unless its topic is long.
    mutating func insert(_ route: TopicRoute) {
        if routes.count >= mostTopics { forgetAll() }
        guard route.topic.bytes.readableBytes <= 256 else { return }
        routes[route.topic.bytes] = route
    }

    /// Updates the count after a route's receivers were looked up.
    ///
    /// - Parameter before: the number of receivers before.
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
