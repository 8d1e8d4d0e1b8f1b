import Wire

/// The chunks of a WebP file, which is a RIFF file. Source: RFC 9649, 2.3 to 2.7.
enum WebPChunks {
    private static let riff: [UInt8] = [0x52, 0x49, 0x46, 0x46]  // RIFF
    private static let webp: [UInt8] = [0x57, 0x45, 0x42, 0x50]  // WEBP
    /// The first bytes of every chunk that can be the first.
    private static let first: [UInt8] = [0x56, 0x50, 0x38]  // VP8
    private static let features: [UInt8] = [0x56, 0x50, 0x38, 0x58]  // VP8X
    private static let exif: [UInt8] = [0x45, 0x58, 0x49, 0x46]  // EXIF
    private static let xmp: [UInt8] = [0x58, 0x4D, 0x50, 0x20]  // XMP
    /// The flags for an Exif and an XMP chunk, in the first byte of the features.
    private static let flags: UInt8 = 0x08 | 0x04
    /// The size of `RIFF`, the size field and `WEBP`, in bytes.
    private static let preamble = 12

    static func isWebP(_ file: [UInt8]) -> Bool {
        file.count >= preamble && file.starts(with: riff) && file[8..<preamble].starts(with: webp)
    }

    /// The file without metadata.
    ///
    /// - Parameter file: a file for which ``isWebP(_:)`` is true.
    static func withoutMetadata(_ file: [UInt8]) throws(PictureFile.Failure) -> [UInt8] {
        let size = littleEndian32(file, at: 4)
        // The size is of what follows it.
        guard size >= 4 else { throw .malformed }
        guard UInt64(size) <= UInt64(file.count - 8) else { throw .truncated }
        let end = 8 + Int(size)
        var kept: [UInt8] = []
        var place = preamble
        while place < end {
            guard end - place >= 8 else { throw .malformed }
            let name = Array(file[place..<place + 4])
            let length = littleEndian32(file, at: place + 4)
            // A chunk of an odd length is followed by one byte more.
            let padded = UInt64(length) + UInt64(length % 2)
            guard padded <= UInt64(end - place - 8) else { throw .malformed }
            guard place > preamble || name.starts(with: first) else { throw .malformed }
            let next = place + 8 + Int(padded)
            if name == features, length > 0 {
                kept += file[place..<place + 8]
                kept.append(file[place + 8] & ~flags)
                kept += file[place + 9..<next]
            } else if name != exif, name != xmp {
                kept += file[place..<next]
            }
            place = next
        }
        guard !kept.isEmpty else { throw .malformed }
        var whole = riff
        whole.reserveCapacity(preamble + kept.count)
        whole.append(littleEndian: UInt32(truncatingIfNeeded: webp.count + kept.count))
        whole += webp
        whole += kept
        return whole
    }

    private static func littleEndian32(_ file: [UInt8], at place: Int) -> UInt32 {
        UInt32(file[place]) | UInt32(file[place + 1]) << 8 | UInt32(file[place + 2]) << 16
            | UInt32(file[place + 3]) << 24
    }
}
