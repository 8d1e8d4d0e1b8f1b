/// A picture's file without what a camera writes beside the picture: where it was taken, when, by which phone, and words.
///
/// What the picture looks like stays as it was, byte for byte, with its colour profile; what a camera says of which way up
/// it was held goes with the rest. Bytes after the picture's end go too: some cameras put a second picture there.
public struct PictureFile: Sendable, Equatable {
    /// What every browser shows.
    public enum Format: UInt8, Sendable, CaseIterable {
        /// ITU-T T.81.
        case jpeg = 1
        /// W3C, Portable Network Graphics, third edition.
        case png
        /// RFC 9649.
        case webp
    }

    /// Why bytes are no picture; the number is what the vectors have.
    public enum Failure: UInt8, Error, Sendable, CaseIterable {
        /// They begin like none of ``Format``.
        case unknown = 1
        /// They end before the picture does.
        case truncated
        /// They begin like a picture, and go on like none.
        case malformed
    }

    /// By its first bytes.
    public let format: Format
    /// The file without that.
    public let bytes: [UInt8]

    /// Reads a file once from front to back; never writes more than it reads.
    public init(withoutMetadata file: [UInt8]) throws(Failure) {
        if file.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
            bytes = try JPEGSegments.withoutMetadata(file)
        } else if file.starts(with: PNGChunks.signature) {
            format = .png
            bytes = try PNGChunks.withoutMetadata(file)
        } else if WebPChunks.isWebP(file) {
            format = .webp
            bytes = try WebPChunks.withoutMetadata(file)
        } else {
            throw .unknown
        }
    }
}
