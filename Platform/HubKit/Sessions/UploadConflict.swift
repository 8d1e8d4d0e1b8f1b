import HTTPTypes

/// An error for a chunk that cannot be appended, with the number of bytes that the hub has.
public struct UploadConflict: Error {
    /// The reason.
    public enum Reason: String, Sendable {
        /// The chunk does not go on from the bytes that are there.
        case offset
        /// The chunk's sender has other bytes than those that are there.
        case diverged
        /// The upload is over, and takes nothing more.
        case over
    }

    /// The reason.
    public var reason: Reason
    /// The number of bytes that the hub has.
    public var offset: Int
    /// The problem in words.
    public var problem: Problem

    /// Creates a conflict.
    public init(reason: Reason, offset: Int, problem: Problem) {
        (self.reason, self.offset, self.problem) = (reason, offset, problem)
        // The same draft, 7.2.
        if reason == .over {
            self.problem.type = "https://iana.org/assignments/http-problem-types#completed-upload"
        }
    }

    /// The conflict of a chunk that does not go on from the bytes that are there.
    public init(offset: Int) {
        var problem = Problem(
            .conflict, "Another offset",
            "The hub has \(offset) bytes of this session, and the next ones go on from there.", field: "Upload-Offset")
        // The IETF draft "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload-05, 7.1).
        problem.type = "https://iana.org/assignments/http-problem-types#mismatching-upload-offset"
        self.init(reason: .offset, offset: offset, problem: problem)
    }

    /// The response: the problem with `reason` and `expected-offset`, which is also in `Upload-Offset`.
    public func response<Form: ResponseForm>(_ request: APIRequest) throws -> APIResponse<Form> {
        let problem = problem.details(in: request.language, from: request.sentences)
        let body = RefusedResponse(
            type: problem.type, title: problem.title, status: problem.status, detail: problem.detail,
            field: problem.field, reason: reason.rawValue, expectedOffset: offset)
        var response = try AnyAPIResponse.json(body, self.problem.code)
        response.type = "application/problem+json"
        return APIResponse(response.setting(.uploadOffset, "\(offset)"))
    }
}

/// A problem (RFC 9457) with the number of bytes that the hub has.
private struct RefusedResponse: Encodable {
    var type, title: String
    var status: Int
    var detail: String
    var field: String?
    var reason: String
    /// The number of bytes that the hub has, under the draft's name.
    var expectedOffset: Int

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, field, reason
        case expectedOffset = "expected-offset"
    }
}
