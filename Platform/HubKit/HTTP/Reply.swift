import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// What a handler answers with, in the form that its route has.
public struct Reply<Form: ReplyForm>: Sendable {
    var content: AnyReply

    init(_ content: AnyReply) { self.content = content }

    /// Says whom the body names, so that a kept answer is forgotten with them, see `Visit.once(_:)`.
    ///
    /// - Parameter person: the id of the one person; nil for nobody.
    public func naming(_ person: String?) -> Reply {
        var reply = self
        reply.content.person = person
        return reply
    }

    func setting(_ name: HTTPField.Name, _ value: String) -> Reply { Reply(content.setting(name, value)) }
}

extension Reply {
    /// A value as JSON, with 200.
    public static func json<Value: Codable & SendableMetatype>(_ value: Value) throws -> Reply
    where Form == JSON<Value> {
        Reply(try .json(value, .ok))
    }

    /// A value as JSON that has just come to be.
    public static func created<Value: Codable & SendableMetatype>(_ value: Value) throws -> Reply
    where Form == Created<Value> {
        Reply(try .json(value, .created))
    }

    /// A value as JSON that is new, or was there before.
    public static func stored<Value: Codable & SendableMetatype>(_ value: Value, isNew: Bool) throws -> Reply
    where Form == Stored<Value> {
        Reply(try .json(value, isNew ? .created : .ok))
    }

    /// A value as JSON of what goes on still.
    public static func accepted<Value: Codable & SendableMetatype>(_ value: Value) throws -> Reply
    where Form == Accepted<Value> {
        Reply(try .json(value, .accepted))
    }

    /// A file.
    public static func file<Media: FileMedia>(_ bytes: ByteBuffer, _ media: Media, headers: HTTPFields = [:]) -> Reply
    where Form == File<Media> {
        Reply(AnyReply(status: .ok, body: bytes, type: media.mediaType, headers: headers))
    }

    /// A file that the browser keeps.
    ///
    /// - Parameter name: what it is called there; plain ASCII without quotes.
    public static func download<Media: FileMedia>(_ bytes: ByteBuffer, _ media: Media, named name: String) -> Reply
    where Form == File<Media> {
        .file(bytes, media).setting(.contentDisposition, "attachment; filename=\"\(name)\"")
    }

    /// The file is what the asker has (RFC 9110, 15.4.5).
    static func unchanged<Media: FileMedia>(headers: HTTPFields) -> Reply where Form == File<Media> {
        Reply(AnyReply(status: .notModified, body: nil, type: "", headers: headers))
    }
}

extension Reply where Form == NoContent {
    /// Done, and nothing to say.
    public static var nothing: Reply { Reply(AnyReply(status: .noContent, body: nil, type: "")) }
}

/// An answer of any form.
struct AnyReply: Sendable {
    var status: HTTPResponse.Status
    var body: ByteBuffer?
    var type: String
    var headers: HTTPFields = [:]
    /// Whom the body names.
    var person: String?
    /// Instead of a body: a file, read as it is sent.
    var stream: FilePart?

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> AnyReply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return AnyReply(status: status, body: ByteBuffer(bytes: try encoder.encode(value)), type: "application/json")
    }

    func setting(_ name: HTTPField.Name, _ value: String) -> AnyReply {
        var reply = self
        reply.headers[name] = value
        return reply
    }

    var response: Response {
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
