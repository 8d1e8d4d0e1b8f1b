import Wire

/// The offset of a phone's clock from the hub's, from exchanges with a time at each end.
///
/// Of one exchange (RFC 5905, section 8): the offset is the mean of what the way there and the way back say, and the
/// truth is at most half of the time on the way from it, however unlike both ways were. All exchanges hold the truth,
/// so the interval that is in all of them does (Marzullo, “Maintaining the Time in a Distributed System”, 1984); where
/// none is, a clock was set in between, and the quickest exchange counts.
public struct ClockAlignment: Sendable {
    /// One request and its answer, microseconds.
    public struct Exchange: Sendable, Equatable {
        /// The phone's clock when it sent the request.
        public var asked: Int64
        /// The hub's clock when it received the request.
        public var received: Int64
        /// The hub's clock when it answered.
        public var answered: Int64
        /// The phone's clock when it received the answer.
        public var returned: Int64

        /// An exchange with these times.
        public init(asked: Int64, received: Int64, answered: Int64, returned: Int64) {
            self.asked = asked
            self.received = received
            self.answered = answered
            self.returned = returned
        }

        /// The offset that is added to the phone's time for the hub's.
        public var offset: Int64 {
            received.minusClamped(asked).plusClamped(answered.minusClamped(returned)) / 2
        }

        /// The time on the way there and back.
        public var delay: Int64 { returned.minusClamped(asked).minusClamped(answered.minusClamped(received)) }

        /// Whether the exchange is possible: an answer comes after its request, within a minute.
        public var isPossible: Bool { answered >= received && delay >= 0 && delay < 60_000_000 }
    }

    /// The offset between the clocks, with its uncertainty.
    public struct Offset: Sendable, Equatable {
        /// The microseconds that are added to the phone's time for the hub's.
        public var microseconds: Int64
        /// The most microseconds by which the truth differs.
        public var uncertainty: Int64
    }

    /// The number of last exchanges that count; older ones do not, for clocks drift.
    public static let mostExchanges = 16

    private var exchanges: [Exchange] = []

    /// An alignment without any exchanges.
    public init() {}

    /// Adds an exchange; an impossible one is ignored.
    public mutating func add(_ exchange: Exchange) {
        guard exchange.isPossible else { return }
        if exchanges.count == Self.mostExchanges { exchanges.removeFirst() }
        exchanges.append(exchange)
    }

    /// The offset; nil before the first exchange.
    public var offset: Offset? {
        guard var best = exchanges.first else { return nil }
        var (low, high) = (Int64.min, Int64.max)
        for exchange in exchanges {
            // Half of an odd number is rounded up: the truth must stay inside.
            let half = exchange.delay / 2 + 1
            low = max(low, exchange.offset.minusClamped(half))
            high = min(high, exchange.offset.plusClamped(half))
            if exchange.delay < best.delay { best = exchange }
        }
        guard low <= high else { return Offset(microseconds: best.offset, uncertainty: best.delay / 2 + 1) }
        let width = high.minusClamped(low)
        return Offset(microseconds: low + width / 2, uncertainty: width / 2 + 1)
    }
}
