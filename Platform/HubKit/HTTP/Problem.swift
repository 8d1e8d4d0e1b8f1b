import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore

/// An error response in words that say what to do, as problem details of RFC 9457.
public struct Problem: Error, HTTPResponseError, Sendable {
    /// The URI of the kind of problem; `about:blank` if the status says it all (RFC 9457, 4.2.1).
    public var type = "about:blank"
    /// The title in a few words, the same for each problem of its kind.
    public var title: LocalizedText
    /// The HTTP status; `status` in the body.
    public var code: HTTPResponse.Status
    /// The explanation for a person: what happened and what to do.
    public var detail: LocalizedText
    /// The input that has to change, by its name in the request.
    public var field: String?
    /// All inputs that have to change, if several were checked; ``field`` is the first of them.
    public var errors: [FieldError] = []
    /// The time to wait before the next attempt, in seconds.
    public var retryAfter: Int?

    /// Whether the body repeats the explanation as `message`, where clients of original systems look for it.
    package var hasMessage = false

    /// The HTTP status, as Hummingbird asks for it.
    public var status: HTTPResponse.Status { code }

    /// The members of the body (RFC 9457, 3.1).
    package struct Details: Codable {
        /// The type and the title, in the language of the response.
        package var type, title: String
        /// The HTTP status.
        package var status: Int
        /// The explanation for a person.
        package var detail: String
        /// The input that has to change; nil if there is none.
        package var field: String?
        /// All inputs that have to change; nil if there is at most one.
        package var errors: [FieldDetails]?
        /// The explanation again, for clients of original systems; nil for all others.
        package var message: String?
    }

    /// One input that has to change, in the body.
    package struct FieldDetails: Codable {
        /// The input's name in the request, and what to do.
        package var field, detail: String
    }

    /// One of several inputs that have to change.
    public struct FieldError: Hashable, Sendable {
        /// The input's name in the request.
        public var field: String
        /// The explanation for a person.
        public var detail: LocalizedText

        /// Creates an error for one input.
        package init(field: String, detail: LocalizedText) {
            self.field = field
            self.detail = detail
        }
    }

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - title: the title, a literal that can be translated.
    ///   - detail: the explanation, a literal that can be translated.
    ///   - field: the input that has to change.
    ///   - retryAfter: the time to wait before the next attempt, in seconds.
    public init(
        _ status: HTTPResponse.Status, _ title: LocalizedText.Sentence, _ detail: LocalizedText.Sentence,
        field: String? = nil, retryAfter: Int? = nil
    ) {
        self.init(
            status, title: LocalizedText(title), detail: LocalizedText(detail), field: field, retryAfter: retryAfter)
    }

    /// Creates a problem with texts that were made elsewhere.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - title: the title.
    ///   - detail: the explanation.
    ///   - field: the input that has to change.
    ///   - retryAfter: the time to wait before the next attempt, in seconds.
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

    /// The members of the body, in a language.
    package func details(in language: Language, from catalog: StringCatalog) -> Details {
        func text(_ sentence: LocalizedText) -> String { sentence.string(in: language, from: catalog) }
        return Details(
            type: type, title: text(title), status: code.code, detail: text(detail), field: field,
            errors: errors.isEmpty ? nil : errors.map { FieldDetails(field: $0.field, detail: text($0.detail)) },
            message: hasMessage ? text(detail) : nil)
    }

    /// The response in English, for errors outside of the API's own routes.
    public func response(from request: Request, context: some RequestContext) throws -> Response { response() }

    /// The response in a language.
    ///
    /// - Parameters:
    ///   - language: the language of the caller.
    ///   - catalog: the texts of every part that may have thrown the problem.
    package func response(in language: Language = .english, from catalog: StringCatalog = StringCatalog()) -> Response {
        Response(
            status: code, headers: headers(in: language),
            body: .init(byteBuffer: content(in: language, from: catalog)))
    }

    /// The header fields of the response.
    package func headers(in language: Language = .english) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "application/problem+json", .cacheControl: "no-store", .contentLanguage: language.tag,
        ]
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return headers
    }

    /// The body of the response.
    package func content(in language: Language = .english, from catalog: StringCatalog = StringCatalog()) -> ByteBuffer
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return ByteBuffer(bytes: (try? encoder.encode(details(in: language, from: catalog))) ?? Data("{}".utf8))
    }

    /// A problem with status 404: the thing named in the path does not exist, or the caller may not see it.
    ///
    /// - Parameter detail: the explanation for a person.
    public static func notFound(_ detail: LocalizedText.Sentence) -> Problem {
        Problem(.notFound, "Not found", detail)
    }

    /// A problem with status 422: one input has to change.
    ///
    /// - Parameters:
    ///   - name: the input's name in the request.
    ///   - detail: the explanation, a literal that can be translated.
    public static func field(_ name: String, _ detail: LocalizedText.Sentence) -> Problem {
        .field(name, detail: LocalizedText(detail))
    }

    /// A problem with status 422: one input has to change, for a reason that was put into words elsewhere.
    ///
    /// - Parameters:
    ///   - name: the input's name in the request.
    ///   - detail: the explanation.
    public static func field(_ name: String, detail: LocalizedText) -> Problem {
        Problem(.unprocessableContent, title: LocalizedText("Not quite"), detail: detail, field: name)
    }
}
