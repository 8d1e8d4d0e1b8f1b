import HTTPTypes

/// The form of a route's responses, as a type: their statuses, media types and the shape of the body. A handler that
/// returns another form does not compile, so that `/openapi.json` is always true.
public protocol ResponseForm: Sendable {
    /// The responses, by status, for `/openapi.json`.
    static var responses: [ResponseDescription] { get }
}

/// One possible response of a route, as `/openapi.json` describes it.
public struct ResponseDescription: Sendable {
    /// The HTTP status.
    package var status: HTTPResponse.Status
    /// The meaning, in one sentence.
    package var summary: String
    /// The type of a JSON body; nil for another body or none.
    package var type: (any (Codable & SendableMetatype).Type)?
    /// The media types of another body.
    package var media: [String] = []

    init(
        _ status: HTTPResponse.Status, _ summary: String, _ type: (any (Codable & SendableMetatype).Type)? = nil,
        media: [String] = []
    ) {
        self.status = status
        self.summary = summary
        self.type = type
        self.media = media
    }
}

/// The form with a value as JSON: status 200.
public enum JSON<Value: Codable & SendableMetatype>: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] { [ResponseDescription(.ok, "Here it is.", Value.self)] }
}

/// The form with a value as JSON that was created: status 201.
public enum Created<Value: Codable & SendableMetatype>: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] { [ResponseDescription(.created, "It is new.", Value.self)] }
}

/// The form with a value as JSON that is new (status 201) or was stored before (status 200).
public enum Stored<Value: Codable & SendableMetatype>: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] {
        [
            ResponseDescription(.ok, "It was there before.", Value.self),
            ResponseDescription(.created, "It is new.", Value.self),
        ]
    }
}

/// The form with a value as JSON of something that is still going on: status 202.
public enum Accepted<Value: Codable & SendableMetatype>: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] { [ResponseDescription(.accepted, "It goes on.", Value.self)] }
}

/// The form without a body: status 204.
public enum NoContent: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] { [ResponseDescription(.noContent, "Done.")] }
}

/// The media types of a route's files.
public protocol FileMedia: CaseIterable {
    /// The media type with its parameters (RFC 9110, 8.3.1).
    var mediaType: String { get }
}

/// The form with a file (status 200), or without if the client's copy is current (status 304).
public enum File<Media: FileMedia>: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] {
        [
            ResponseDescription(.ok, "The file.", media: Media.allCases.map(\.mediaType)),
            ResponseDescription(.notModified, "It is what the asker has."),
        ]
    }
}

/// The form with a file (status 200), or with a range of it (status 206; RFC 9110, 14).
public enum RangedFile<Media: FileMedia>: ResponseForm {
    /// The responses in `/openapi.json`.
    public static var responses: [ResponseDescription] {
        let media = Media.allCases.map(\.mediaType)
        return [
            ResponseDescription(.ok, "The file.", media: media),
            ResponseDescription(.partialContent, "The range that was asked for.", media: media),
        ]
    }
}

/// The media type of bytes that only the page's own engine reads.
public enum EngineBytes: FileMedia {
    /// Bytes without a more specific type.
    case octets
    /// The media type `application/octet-stream`.
    public var mediaType: String { "application/octet-stream" }
}

/// A JSON value of one of two types.
public enum OneOf<First: Codable & SendableMetatype, Second: Codable & SendableMetatype>: Codable {
    /// A value of the first type.
    case first(First)
    /// A value of the second type.
    case second(Second)

    public init(from decoder: any Decoder) throws {
        if let first = try? First(from: decoder) {
            self = .first(first)
        } else {
            self = .second(try Second(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .first(let value): try value.encode(to: encoder)
        case .second(let value): try value.encode(to: encoder)
        }
    }
}

extension OneOf: Sendable where First: Sendable, Second: Sendable {}
