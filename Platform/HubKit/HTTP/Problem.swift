import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An error in words that say what to do, as RFC 9457 problem details.
public struct Problem: Error, HTTPResponseError, Sendable {
    /// A URI for the kind of problem; `about:blank` says that the status tells it (RFC 9457, 4.2.1).
    public var type = "about:blank"
    /// A few words, the same for each problem of the kind.
    public var title: String
    /// The HTTP status, `status` in the body.
    public var code: HTTPResponse.Status
    /// What happened and what to do, for a person.
    public var detail: String
    /// The input that has to change, by the name it has in the request.
    public var field: String?
    /// All inputs that have to change, where several were looked at; `field` is the first of them.
    public var errors: [FieldError] = []
    /// Seconds to wait before the next try.
    public var retryAfter: Int?

    public var status: HTTPResponse.Status { code }

    /// The members of its body (RFC 9457, 3.1).
    package struct Details: Codable {
        var type, title: String
        var status: Int
        /// Words that say what to do.
        var detail: String
        var field: String?
        var errors: [FieldError]?
    }

    /// One input of several that cannot be taken as they are.
    public struct FieldError: Codable, Hashable, Sendable {
        /// By the name that it has in the request.
        public var field: String
        /// Words that say what to do.
        public var detail: String

        package init(field: String, detail: String) {
            self.field = field
            self.detail = detail
        }
    }

    public init(
        _ status: HTTPResponse.Status, _ title: String, _ detail: String, field: String? = nil, retryAfter: Int? = nil
    ) {
        code = status
        self.title = title
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    private var details: Details {
        Details(
            type: type, title: title, status: code.code, detail: detail, field: field,
            errors: errors.isEmpty ? nil : errors)
    }

    public func response(from request: Request, context: some RequestContext) throws -> Response {
        Response(status: code, headers: headers, body: .init(byteBuffer: content))
    }

    package var headers: HTTPFields {
        var headers: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return headers
    }

    /// The body. Strings and numbers can always be encoded.
    package var content: ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return ByteBuffer(bytes: (try? encoder.encode(details)) ?? Data("{}".utf8))
    }

    /// The thing named in the path is not there, or is not the caller's to see.
    public static func notFound(_ what: String) -> Problem {
        Problem(.notFound, "Not found", "There is no \(what) here. It may have been removed.")
    }

    /// An input that cannot be taken as it is.
    public static func field(_ name: String, _ detail: String) -> Problem {
        Problem(.unprocessableContent, "Not quite", detail, field: name)
    }
}
