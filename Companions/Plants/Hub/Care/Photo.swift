import HubKit
import NIOCore

/// A picture that somebody took of a plant.
struct Photo: Sendable {
    /// The largest that is stored, in bytes. Pages send pictures of some 300 KB.
    static let mostBytes = 4 << 20
    /// The most pictures of one plant: one a week for ten years.
    static let mostOfAPlant = 520

    var media: PhotoMedia
    var bytes: [UInt8]

    /// By its first bytes: what a request calls it does not count.
    ///
    /// Sources: JPEG, ITU-T T.81 B.1.1.3; PNG, third edition, 5.2; WebP container, RFC 9649 2.4.
    /// - Throws: a 422 problem for what is no picture that every browser shows.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        if bytes.isEmpty { throw Problem.field("file", "This picture is empty. Take it again.") }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            media = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            media = .png
        } else if bytes.count > 12, bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
            media = .webp
        } else {
            throw Problem.field("file", "This is no picture that the hub knows. Choose a JPEG, PNG or WebP file.")
        }
    }
}

/// What every browser shows.
enum PhotoMedia: String, FileMedia, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"

    var mediaType: String { rawValue }
}
