import Localization

/// An HTTP request to another host: one on the internet, or a device of the home network.
public struct OutboundCall: Sendable {
    /// The HTTP method.
    public enum Method: Sendable {
        /// GET, without a body.
        case get
        /// POST, with a body.
        case post
    }

    /// The id of the household that the call is counted for.
    public var household: String
    /// The address, which must be allowed by the ``OutboundReach`` of the purpose.
    public var url: String
    /// The purpose, that of an ``OutboundUse``.
    public var purpose: String
    /// The HTTP method.
    public var method: Method
    /// The header fields.
    public var headers: [(String, String)]
    /// The body of a POST.
    public var body: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - household: the id of the household that the call is counted for.
    ///   - url: the address.
    ///   - purpose: the purpose, that of an ``OutboundUse``.
    ///   - method: the HTTP method.
    ///   - headers: the header fields.
    ///   - body: the body of a POST.
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

/// The response to an ``OutboundCall``.
public struct OutboundAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header `Retry-After` as received: seconds or a date (RFC 9110, 10.2.3).
    public var retryAfter: String?
    /// The header `Date` as received (RFC 9110, 6.6.1): the other's clock.
    public var date: String?
    /// The part of the body that was read. It is foreign data and not to be trusted.
    public var body: [UInt8]
    /// Whether the body was read completely: false if it has ``OutboundUse/answerBytes`` or more.
    public var isWhole: Bool

    /// Creates a response.
    package init(status: Int, retryAfter: String?, date: String? = nil, body: [UInt8], isWhole: Bool) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
        self.isWhole = isWhole
    }
}

/// The reason why nothing was sent, or no response was received.
public enum OutboundError: Error, Equatable {
    /// The policy does not allow the call; the text continues a sentence after a colon.
    case refused(LocalizedText)
    /// The purpose has no calls left in this hour.
    case tooMany(retryAfterSeconds: Int)
    /// The host could not be reached, or did not respond in time: no name, no connection, no certificate, no response.
    case unreachable(String)
}
