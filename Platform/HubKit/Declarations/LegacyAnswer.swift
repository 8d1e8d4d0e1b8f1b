import Foundation
import HTTPTypes
import NIOCore

/// The answer of a route that a companion declares of an original system: its own text, status and media type, which
/// are the original's and no part of the hub's contract.
public enum LegacyAnswer: ResponseForm {
    public static var responses: [ResponseDescription] {
        [ResponseDescription(.ok, "As the original system answers.", media: ["*/*"])]
    }
}

extension APIResponse where Form == LegacyAnswer {
    /// Bytes as the original's server sends them.
    public static func legacy(_ bytes: ByteBuffer, type: String, status: HTTPResponse.Status = .ok) -> APIResponse {
        APIResponse(AnyAPIResponse(status: status, body: bytes, type: type))
    }

    /// A value as JSON, for an original that answers with some.
    public static func legacy(json value: some Encodable, status: HTTPResponse.Status = .ok) throws -> APIResponse {
        APIResponse(try .json(value, status))
    }
}
