import HTTPTypes

/// What the answers of a route have in common, as a type: their statuses, media types, and the shape of the body. A route
/// whose handler gives another than its form does not compile, so that `/openapi.json` cannot say what is not so.
public protocol ResponseForm: Sendable {
    /// By status.
    static var responses: [ResponseDescription] { get }
}

/// One of the answers of a route, as `/openapi.json` says it.
public struct ResponseDescription: Sendable {
    package var status: HTTPResponse.Status
    package var summary: String
    /// Of a body of JSON.
    package var type: (any (Codable & SendableMetatype).Type)?
    /// Of another body.
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

/// A value as JSON, 200.
public enum JSON<Value: Codable & SendableMetatype>: ResponseForm {
    public static var responses: [ResponseDescription] { [ResponseDescription(.ok, "Here it is.", Value.self)] }
}

/// A value as JSON that has just come to be, 201.
public enum Created<Value: Codable & SendableMetatype>: ResponseForm {
    public static var responses: [ResponseDescription] { [ResponseDescription(.created, "It is new.", Value.self)] }
}

/// A value as JSON that is new, 201, or was there before, 200.
public enum Stored<Value: Codable & SendableMetatype>: ResponseForm {
    public static var responses: [ResponseDescription] {
        [
            ResponseDescription(.ok, "It was there before.", Value.self),
            ResponseDescription(.created, "It is new.", Value.self),
        ]
    }
}

/// A value as JSON of what goes on still, 202.
public enum Accepted<Value: Codable & SendableMetatype>: ResponseForm {
    public static var responses: [ResponseDescription] { [ResponseDescription(.accepted, "It goes on.", Value.self)] }
}

/// Done, and nothing to say, 204.
public enum NoContent: ResponseForm {
    public static var responses: [ResponseDescription] { [ResponseDescription(.noContent, "Done.")] }
}

/// The media types of a route's files.
public protocol FileMedia: CaseIterable {
    /// With its parameters (RFC 9110, 8.3.1).
    var mediaType: String { get }
}

/// A file, 200; 304 where the asker has it already.
public enum File<Media: FileMedia>: ResponseForm {
    public static var responses: [ResponseDescription] {
        [
            ResponseDescription(.ok, "The file.", media: Media.allCases.map(\.mediaType)),
            ResponseDescription(.notModified, "It is what the asker has."),
        ]
    }
}

/// A file, 200, or a range of it, 206 (RFC 9110, 14).
public enum RangedFile<Media: FileMedia>: ResponseForm {
    public static var responses: [ResponseDescription] {
        let media = Media.allCases.map(\.mediaType)
        return [
            ResponseDescription(.ok, "The file.", media: media),
            ResponseDescription(.partialContent, "The range that was asked for.", media: media),
        ]
    }
}

/// Bytes that only the page's own engine reads.
public enum EngineBytes: FileMedia {
    case octets
    public var mediaType: String { "application/octet-stream" }
}

/// A body of one of two shapes.
public enum OneOf<First: Codable & SendableMetatype, Second: Codable & SendableMetatype>: Codable {
    case first(First)
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
