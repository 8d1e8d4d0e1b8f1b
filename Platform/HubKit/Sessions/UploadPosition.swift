import HTTPTypes
import Wire

/// A position in an upload: the number of bytes before it, and their checksum.
public struct UploadPosition: Sendable, Equatable {
    /// The number of bytes before the position.
    public var offset: Int
    /// The CRC-32 of all bytes before ``offset``.
    public var checksum: UInt32

    /// Creates a position from its parts.
    public init(offset: Int, checksum: UInt32) {
        self.offset = offset
        self.checksum = checksum
    }
}

extension UploadPosition {
    /// The bytes of a chunk that are not there yet; nil for none.
    ///
    /// - Parameter stored: reads a range of the bytes that are there.
    /// - Throws: an ``UploadConflict`` if the chunk begins behind them, or differs from them.
    public func rest(
        of chunk: UploadedChunk, or diverged: Problem, stored: (Range<Int>) throws -> [UInt8]
    ) throws -> ArraySlice<UInt8>? {
        guard chunk.offset <= offset else { throw UploadConflict(offset: offset) }
        let known = offset - chunk.offset
        if chunk.bytes.count >= known {
            // All that is there must be what the sender has, or two devices would be woven into one.
            guard crc32(chunk.bytes[..<known], after: chunk.checksum) == checksum else {
                throw UploadConflict(reason: .diverged, offset: offset, problem: diverged)
            }
            return chunk.bytes.count > known ? chunk.bytes[known...] : nil
        }
        guard try stored(chunk.offset..<chunk.offset + chunk.bytes.count) == chunk.bytes else {
            throw UploadConflict(reason: .diverged, offset: offset, problem: diverged)
        }
        return nil
    }
}

extension APIResponse {
    /// The response with a position in its header fields.
    ///
    /// - Parameter isComplete: whether nothing more is taken; nil where that is not said.
    public func at(_ position: UploadPosition, isComplete: Bool? = nil) -> APIResponse {
        let digits = String(position.checksum, radix: 16)
        let response = setting(.uploadOffset, "\(position.offset)")
            .setting(.uploadChecksum, String(repeating: "0", count: 8 - digits.count) + digits)
        return isComplete.map { response.setting(.uploadComplete, $0 ? "?1" : "?0") } ?? response
    }
}
