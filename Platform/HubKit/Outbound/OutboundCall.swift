/// A request to a host beyond the house.
public struct OutboundCall: Sendable {
    /// What is asked.
    public enum Method: Sendable {
        /// Without a body.
        case get
        case post
    }

    /// In whose list it is counted.
    public var household: String
    /// https, of a host that is declared for the purpose.
    public var url: String
    /// That of an ``OutboundUse``.
    public var purpose: String
    public var method: Method
    public var headers: [(String, String)]
    /// Of a POST.
    public var body: [UInt8]

    public init(
        household: String, url: String, purpose: String, method: Method = .post, headers: [(String, String)] = [],
        body: [UInt8] = []
    ) {
        self.household = household
        self.url = url
        self.purpose = purpose
        self.method = method
        self.headers = headers
        self.body = body
    }
}

/// What came back.
public struct OutboundAnswer: Sendable {
    public var status: Int
    /// The header as it came: seconds or a date (RFC 9110, 10.2.3).
    public var retryAfter: String?
    /// What was read of the body: the other side's own, and foreign.
    public var body: [UInt8]
    /// False where the body is longer than ``OutboundUse/answerBytes``, or just as long.
    public var isWhole: Bool

    package init(status: Int, retryAfter: String?, body: [UInt8], isWhole: Bool) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
        self.isWhole = isWhole
    }
}

/// Why nothing was sent, or no answer came.
public enum OutboundError: Error, Equatable {
    /// The policy does not allow it; the words go on from "because".
    case refused(String)
    /// Too many calls in this hour.
    case tooMany(retryAfterSeconds: Int)
    /// The network, or the other side: no name, no connection, no certificate, no answer in time.
    case unreachable(String)
}
