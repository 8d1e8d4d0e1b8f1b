import HubKit
import PlantsEngine

/// A picture that somebody took of a plant.
struct Photo: Sendable {
    /// The largest that is stored, in bytes. Pages send pictures of some 300 KB.
    static let mostBytes = 4 << 20
    /// The most pictures of one plant: one a week for ten years.
    static let mostOfAPlant = 520

    var media: PhotoMedia
    var bytes: [UInt8]

    /// Reads a picture of the type that its first bytes tell: what a request calls it does not count. The picture keeps
    /// that alone by which it is drawn, and not where it was taken or what else programs wrote beside it. The pages
    /// leave that out too, and other programs may not.
    ///
    /// - Throws: a 422 problem for what is no picture that every browser shows, or half of one.
    init(_ file: [UInt8]) throws {
        if file.isEmpty { throw Problem.field("file", "This picture is empty. Take it again.") }
        do throws(PictureFile.Failure) {
            let picture = try PictureFile(withoutMetadata: file)
            bytes = picture.bytes
            media =
                switch picture.format {
                case .jpeg: .jpeg
                case .png: .png
                case .webp: .webp
                }
        } catch {
            throw switch error {
            case .unknown:
                Problem.field("file", "This is no picture that the hub knows. Choose a JPEG, PNG or WebP file.")
            case .truncated:
                Problem.field("file", "The end of this picture is missing. Take it again, or choose another.")
            case .size:
                Problem.field("file", "This picture has no size that a browser can show. Choose another.")
            case .malformed:
                Problem.field("file", "This picture is damaged. Take it again, or choose another.")
            }
        }
    }
}

/// The types of pictures that every browser shows.
enum PhotoMedia: String, FileMedia, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"

    var mediaType: String { rawValue }
}
