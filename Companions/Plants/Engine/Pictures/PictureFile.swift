/// The file of a picture with that alone by which a browser draws it.
///
/// What may stay is a list for each format, and all else goes, whatever it is called: the place, time and phone that a camera
/// writes, texts, small pictures of the picture before it was cropped (JFIF, JFXX), where it was made and changed (C2PA), and
/// what programs add under names of their own. The picture itself stays the same, byte for byte, with its colour profile; the
/// camera's orientation is removed with the rest. Bytes after the picture's end are removed too: some cameras put a second
/// picture there.
public struct PictureFile: Sendable, Equatable {
    /// The formats, which every browser shows.
    public enum Format: UInt8, Sendable, CaseIterable {
        /// JPEG (ITU-T T.81).
        case jpeg = 1
        /// PNG (W3C, Portable Network Graphics, third edition).
        case png
        /// WebP (RFC 9649).
        case webp
    }

    /// The reason why bytes are not a picture; the number is that of the test vectors.
    public enum Failure: UInt8, Error, Sendable, CaseIterable {
        /// The bytes begin like none of ``Format``.
        case unknown = 1
        /// The bytes end before the picture does.
        case truncated
        /// The bytes begin like a picture, and continue differently.
        case malformed
        /// The picture says that it has no width or height, or more than its format has: no browser shows it.
        case size
    }

    /// The format, by the first bytes.
    public let format: Format
    /// The file without metadata.
    public let bytes: [UInt8]

    /// Reads a file once from front to back; the result is never longer.
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
