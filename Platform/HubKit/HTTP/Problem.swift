import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore

/// An error in words that say what to do, as RFC 9457 problem details.
public struct Problem: Error, HTTPResponseError, Sendable {
    /// A URI for the kind of problem; `about:blank` says that the status tells it (RFC 9457, 4.2.1).
    public var type = "about:blank"
    /// A few words, the same for each problem of the kind.
    public var title: LocalizedText
    /// The HTTP status, `status` in the body.
    public var code: HTTPResponse.Status
    /// What happened and what to do, for a person.
    public var detail: LocalizedText
    /// The input that has to change, by the name it has in the request.
    public var field: String?
    /// All inputs that have to change, where several were looked at; `field` is the first of them.
    public var errors: [FieldError] = []
    /// Seconds to wait before the next try.
    public var retryAfter: Int?

    public var status: HTTPResponse.Status { code }

    /// The members of its body (RFC 9457, 3.1).
    package struct Details: Codable {
        package var type, title: String
        package var status: Int
        /// Words that say what to do.
        package var detail: String
        package var field: String?
        package var errors: [FieldDetails]?
    }

    /// One of the inputs, in the body.
    package struct FieldDetails: Codable {
        package var field, detail: String
    }

    /// One input of several that cannot be taken as they are.
    public struct FieldError: Hashable, Sendable {
        /// By the name that it has in the request.
        public var field: String
        /// Words that say what to do.
        public var detail: LocalizedText

        package init(field: String, detail: LocalizedText) {
            self.field = field
            self.detail = detail
        }
    }

    /// - Parameters:
    ///   - title: a literal, so that it can be found in the source and translated, as `detail` is.
    ///   - retryAfter: seconds.
    public init(
        _ status: HTTPResponse.Status, _ title: LocalizedText.Sentence, _ detail: LocalizedText.Sentence,
        field: String? = nil, retryAfter: Int? = nil
    ) {
        self.init(
            status, title: LocalizedText(title), detail: LocalizedText(detail), field: field, retryAfter: retryAfter)
    }

    /// Of sentences that were made elsewhere.
    public init(
        _ status: HTTPResponse.Status, title: LocalizedText, detail: LocalizedText, field: String? = nil,
        retryAfter: Int? = nil
    ) {
        code = status
        self.title = title
        self.detail = detail
        self.field = field
        self.retryAfter = retryAfter
    }

    package func details(in language: Language, from catalog: StringCatalog) -> Details {
        func text(_ sentence: LocalizedText) -> String { sentence.string(in: language, from: catalog) }
        return Details(
            type: type, title: text(title), status: code.code, detail: text(detail), field: field,
            errors: errors.isEmpty ? nil : errors.map { FieldDetails(field: $0.field, detail: text($0.detail)) })
    }

    /// In English, where nothing knows who asks.
    public func response(from request: Request, context: some RequestContext) throws -> Response { response() }

    /// - Parameters:
    ///   - language: of whoever asks.
    ///   - catalog: of all that may have thrown it.
    package func response(in language: Language = .english, from catalog: StringCatalog = StringCatalog()) -> Response {
        Response(
            status: code, headers: headers(in: language),
            body: .init(byteBuffer: content(in: language, from: catalog)))
    }

    /// See ``response(in:from:)``.
    package func headers(in language: Language = .english) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store", .contentLanguage: language.tag,
        ]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return headers
    }

    /// The body; see ``response(in:from:)``. Strings and numbers can always be encoded.
    package func content(in language: Language = .english, from catalog: StringCatalog = StringCatalog()) -> ByteBuffer
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return ByteBuffer(bytes: (try? encoder.encode(details(in: language, from: catalog))) ?? Data("{}".utf8))
    }

    /// The thing named in the path is not there, or is not the caller's to see.
    ///
    /// - Parameter detail: says what is not there.
    public static func notFound(_ detail: LocalizedText.Sentence) -> Problem {
        Problem(.notFound, "Not found", detail)
    }

    /// An input that cannot be taken as it is.
    public static func field(_ name: String, _ detail: LocalizedText.Sentence) -> Problem {
        .field(name, detail: LocalizedText(detail))
    }

    /// An input that cannot be taken as it is, for a reason that was put into words elsewhere.
    public static func field(_ name: String, detail: LocalizedText) -> Problem {
        Problem(.unprocessableContent, title: LocalizedText("Not quite"), detail: detail, field: name)
    }
}
