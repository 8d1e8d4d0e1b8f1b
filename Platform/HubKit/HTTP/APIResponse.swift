import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A response to a request, in the form that the route declares.
public struct APIResponse<Form: ResponseForm>: Sendable {
    /// The response without its form.
    package var content: AnyAPIResponse

    init(_ content: AnyAPIResponse) { self.content = content }

    /// Marks the response with the person whom its body is about, so that a stored copy is deleted with them; see
    /// ``APIRequest/idempotently(_:)``.
    ///
    /// - Parameter person: the person's id; nil for nobody.
    public func naming(_ person: String?) -> APIResponse {
        var response = self
        response.content.person = person
        return response
    }

    /// The response with a header field set.
    package func setting(_ name: HTTPField.Name, _ value: String) -> APIResponse {
        APIResponse(content.setting(name, value))
    }
}

extension APIResponse {
    /// A response with a value as JSON and status 200.
    public static func json<Value: Codable & SendableMetatype>(_ value: Value) throws -> APIResponse
    where Form == JSON<Value> {
        APIResponse(try .json(value, .ok))
    }

    /// A response with a value as JSON and status 201 (Created).
    public static func created<Value: Codable & SendableMetatype>(_ value: Value) throws -> APIResponse
    where Form == Created<Value> {
        APIResponse(try .json(value, .created))
    }

    /// A response with a value as JSON: status 201 if it is new, 200 if it was stored before.
    public static func stored<Value: Codable & SendableMetatype>(_ value: Value, isNew: Bool) throws -> APIResponse
    where Form == Stored<Value> {
        APIResponse(try .json(value, isNew ? .created : .ok))
    }

    /// A response with a value as JSON and status 202 (Accepted), for something that is still going on.
    public static func accepted<Value: Codable & SendableMetatype>(_ value: Value) throws -> APIResponse
    where Form == Accepted<Value> {
        APIResponse(try .json(value, .accepted))
    }

    /// A response with the bytes of a file.
    public static func file<Media: FileMedia>(_ bytes: ByteBuffer, _ media: Media, headers: HTTPFields = [:])
        -> APIResponse
    where Form == File<Media> {
        APIResponse(AnyAPIResponse(status: .ok, body: bytes, type: media.mediaType, headers: headers))
    }

    /// A response with the bytes of a file that the browser saves.
    ///
    /// - Parameter name: the file's name; plain ASCII without quotes.
    public static func download<Media: FileMedia>(_ bytes: ByteBuffer, _ media: Media, named name: String)
        -> APIResponse
    where Form == File<Media> {
        .file(bytes, media).setting(.contentDisposition, "attachment; filename=\"\(name)\"")
    }

    /// A response with a file that the browser saves, made a piece at a time at the rate at which the client reads it: it
    /// takes as much memory as a piece does. What fails on the way ends the connection, so that nobody takes half a file
    /// for a whole one.
    ///
    /// - Parameters:
    ///   - pieces: makes the next piece when it is asked; the file has no other end.
    ///   - name: the file's name; plain ASCII without quotes.
    public static func download<Media: FileMedia>(
        _ pieces: AsyncThrowingStream<ByteBuffer, any Error>, _ media: Media, named name: String
    ) -> APIResponse where Form == File<Media> {
        var content = AnyAPIResponse(status: .ok, body: nil, type: media.mediaType)
        content.pieces = pieces
        return APIResponse(content).setting(.contentDisposition, "attachment; filename=\"\(name)\"")
    }

    /// A response with status 304: the client's copy of the file is current (RFC 9110, 15.4.5).
    public static func unchanged<Media: FileMedia>(headers: HTTPFields) -> APIResponse where Form == File<Media> {
        APIResponse(AnyAPIResponse(status: .notModified, body: nil, type: "", headers: headers))
    }
}

extension APIResponse where Form == NoContent {
    /// A response without a body, with status 204.
    public static var nothing: APIResponse { APIResponse(AnyAPIResponse(status: .noContent, body: nil, type: "")) }
}

/// A response of any form.
package struct AnyAPIResponse: Sendable {
    /// The status code.
    package var status: HTTPResponse.Status
    /// The bytes; nil for none.
    package var body: ByteBuffer?
    /// The media type of the body, such as `application/json`; empty without a body.
    package var type: String
    /// The header fields besides type and length.
    package var headers: HTTPFields = [:]
    /// The id of the person whom the body is about.
    var person: String?
    /// A part of a file, sent in place of a body and read from the disk meanwhile.
    package var stream: FilePart?
    /// A file that is made a piece at a time, sent in place of a body.
    var pieces: AsyncThrowingStream<ByteBuffer, any Error>?

    /// Creates a response; a nil body sends none.
    package init(status: HTTPResponse.Status, body: ByteBuffer?, type: String, headers: HTTPFields = [:]) {
        self.status = status
        self.body = body
        self.type = type
        self.headers = headers
    }

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> AnyAPIResponse {
        let encoder = JSONEncoder()
        // Without an order of its own the same value is other bytes each time: no tag of them would hold.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return AnyAPIResponse(
            status: status, body: ByteBuffer(bytes: try encoder.encode(value)), type: "application/json")
    }

    func setting(_ name: HTTPField.Name, _ value: String) -> AnyAPIResponse {
        var response = self
        response.headers[name] = value
        return response
    }

    /// The response for the HTTP server. Unless it says otherwise, caches must not store it.
    package var httpResponse: Response {
        var headers = headers
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if let stream {
            headers[.contentType] = type
            return Response(status: status, headers: headers, body: stream.body)
        }
        if let pieces {
            headers[.contentType] = type
            return Response(
                status: status, headers: headers,
                body: ResponseBody { writer in
                    for try await piece in pieces { try await writer.write(piece) }
                    try await writer.finish(nil)
                })
        }
        guard let body else { return Response(status: status, headers: headers) }
        headers[.contentType] = type
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }
}
