import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a handler answers with, in the form that its route has.
public struct APIResponse<Form: ResponseForm>: Sendable {
    package var content: AnyAPIResponse

    init(_ content: AnyAPIResponse) { self.content = content }

    /// Says whom the body names, so that a stored response is forgotten with them, see `APIRequest.idempotently(_:)`.
    ///
    /// - Parameter person: the id of the one person; nil for nobody.
    public func naming(_ person: String?) -> APIResponse {
        var response = self
        response.content.person = person
        return response
    }

    package func setting(_ name: HTTPField.Name, _ value: String) -> APIResponse {
        APIResponse(content.setting(name, value))
    }
}

extension APIResponse {
    /// A value as JSON, with 200.
    public static func json<Value: Codable & SendableMetatype>(_ value: Value) throws -> APIResponse
    where Form == JSON<Value> {
        APIResponse(try .json(value, .ok))
    }

    /// A value as JSON that has just come to be.
    public static func created<Value: Codable & SendableMetatype>(_ value: Value) throws -> APIResponse
    where Form == Created<Value> {
        APIResponse(try .json(value, .created))
    }

    /// A value as JSON that is new, or was there before.
    public static func stored<Value: Codable & SendableMetatype>(_ value: Value, isNew: Bool) throws -> APIResponse
    where Form == Stored<Value> {
        APIResponse(try .json(value, isNew ? .created : .ok))
    }

    /// A value as JSON of what goes on still.
    public static func accepted<Value: Codable & SendableMetatype>(_ value: Value) throws -> APIResponse
    where Form == Accepted<Value> {
        APIResponse(try .json(value, .accepted))
    }

    /// A file.
    public static func file<Media: FileMedia>(_ bytes: ByteBuffer, _ media: Media, headers: HTTPFields = [:])
        -> APIResponse
    where Form == File<Media> {
        APIResponse(AnyAPIResponse(status: .ok, body: bytes, type: media.mediaType, headers: headers))
    }

    /// A file that the browser keeps.
    ///
    /// - Parameter name: what it is called there; plain ASCII without quotes.
    public static func download<Media: FileMedia>(_ bytes: ByteBuffer, _ media: Media, named name: String)
        -> APIResponse
    where Form == File<Media> {
        .file(bytes, media).setting(.contentDisposition, "attachment; filename=\"\(name)\"")
    }

    /// The file is what the asker has (RFC 9110, 15.4.5).
    package static func unchanged<Media: FileMedia>(headers: HTTPFields) -> APIResponse where Form == File<Media> {
        APIResponse(AnyAPIResponse(status: .notModified, body: nil, type: "", headers: headers))
    }
}

extension APIResponse where Form == NoContent {
    /// Done, and nothing to say.
    public static var nothing: APIResponse { APIResponse(AnyAPIResponse(status: .noContent, body: nil, type: "")) }
}

/// An answer of any form.
package struct AnyAPIResponse: Sendable {
    var status: HTTPResponse.Status
    var body: ByteBuffer?
    var type: String
    var headers: HTTPFields = [:]
    /// Whom the body names.
    var person: String?
    /// Instead of a body: a file, read as it is sent.
    package var stream: FilePart?

    package init(status: HTTPResponse.Status, body: ByteBuffer?, type: String, headers: HTTPFields = [:]) {
        self.status = status
        self.body = body
        self.type = type
        self.headers = headers
    }

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> AnyAPIResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return AnyAPIResponse(
            status: status, body: ByteBuffer(bytes: try encoder.encode(value)), type: "application/json")
    }

    func setting(_ name: HTTPField.Name, _ value: String) -> AnyAPIResponse {
        var response = self
        response.headers[name] = value
        return response
    }

    package var httpResponse: Response {
        var headers = headers
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if let stream {
            headers[.contentType] = type
            return Response(status: status, headers: headers, body: stream.body)
        }
        guard let body else { return Response(status: status, headers: headers) }
        headers[.contentType] = type
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}
