import Foundation
import HTTPTypes
import NIOCore

/// A chunk of bytes that only grow, as the IETF draft "Resumable Uploads for HTTP"
/// (draft-ietf-httpbis-resumable-upload-05) sends it. `Upload-Checksum` is the hub's own.
public struct UploadedChunk: Sendable {
    /// The number of bytes before the chunk.
    public var offset: Int
    /// The bytes.
    public var bytes: [UInt8]
    /// The CRC-32 of all bytes before the chunk, as the sender has them.
    public var checksum: UInt32
    /// Whether no more bytes come.
    public var isComplete: Bool

    /// Reads the chunk of a request.
    ///
    /// - Parameter limit: the most bytes of a chunk.
    /// - Throws: a 400 problem for header fields that are none; a 413 problem for more bytes.
    public init(_ request: APIRequest, upTo limit: Int) async throws {
        guard let offset = request.header(.uploadOffset).flatMap({ Int($0) }), (0...Int(Int32.max)).contains(offset)
        else {
            throw Problem(
                .badRequest, "Not understood",
                "Upload-Offset says at which byte of the session this goes on: 0, or more.",
                field: "Upload-Offset")
        }
        let checksum = request.header(.uploadChecksum).flatMap { $0.utf8.count == 8 ? UInt32($0, radix: 16) : nil }
        guard let checksum = offset == 0 ? 0 : checksum else {
            throw Problem(
                .badRequest, "Not understood",
                "Upload-Checksum says the CRC-32 of all bytes before these, in 8 hexadecimal digits.",
                field: "Upload-Checksum")
        }
        // A boolean of structured fields (RFC 8941, 3.3.6).
        isComplete =
            switch request.header(.uploadComplete) {
            case "?1": true
            case "?0", nil: false
            default:
                throw Problem(.badRequest, "Not understood", "Upload-Complete is ?0 or ?1.", field: "Upload-Complete")
            }
        let buffer = try await request.bytes(
            upTo: limit,
            otherwise: Problem(
                .contentTooLarge, "Too large",
                "At most \(limit) bytes are taken at once. Send the rest after them."))
        (self.offset, self.checksum, bytes) = (offset, checksum, Array(buffer: buffer))
    }

    init(offset: Int, bytes: [UInt8], checksum: UInt32, isComplete: Bool = false) {
        (self.offset, self.bytes, self.checksum, self.isComplete) = (offset, bytes, checksum, isComplete)
    }
}

extension HTTPField.Name {
    // The literals are valid field names, so that the initialiser answers.
    /// The number of bytes before a chunk, or of those that the hub has.
    public static let uploadOffset = HTTPField.Name("Upload-Offset")!
    /// Whether no more bytes come.
    public static let uploadComplete = HTTPField.Name("Upload-Complete")!
    /// The CRC-32 of all bytes before the offset.
    public static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
    static let uploadActive = HTTPField.Name("Upload-Active")!
}
