/// The chunks of a PNG file. Source: W3C, Portable Network Graphics, third edition, 5.2, 5.3 and 11.
enum PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let header: [UInt8] = [0x49, 0x48, 0x44, 0x52]  // IHDR
    private static let end: [UInt8] = [0x49, 0x45, 0x4E, 0x44]  // IEND
    /// The names of metadata chunks: Exif, three kinds of text, one of which holds XMP, and the time of the last
    /// change.
    private static let metadata: [[UInt8]] = [
        [0x65, 0x58, 0x49, 0x66],  // eXIf
        [0x74, 0x45, 0x58, 0x74],  // tEXt
        [0x7A, 0x54, 0x58, 0x74],  // zTXt
        [0x69, 0x54, 0x58, 0x74],  // iTXt
        [0x74, 0x49, 0x4D, 0x45],  // tIME
    ]
    /// The size of a chunk's length, name and checksum, in bytes.
    private static let frame = 12
    /// The greatest length of a chunk by the standard, in bytes.
    private static let longest: UInt32 = 0x7FFF_FFFF

    /// The file without metadata.
    ///
    /// - Parameter file: the file, which begins with ``signature``.
    static func withoutMetadata(_ file: [UInt8]) throws(PictureFile.Failure) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(file.count)
        kept += signature
        var place = signature.count
        while true {
            let left = file.count - place
            guard left >= frame else { throw .truncated }
            let length =
                UInt32(file[place]) << 24 | UInt32(file[place + 1]) << 16 | UInt32(file[place + 2]) << 8
                | UInt32(file[place + 3])
            let name = Array(file[place + 4..<place + 8])
            let isFirst = place == signature.count
            guard length <= longest, isFirst == (name == header) else { throw .malformed }
            guard Int(length) <= left - frame else { throw .truncated }
            let next = place + frame + Int(length)
            // With its checksum, which is of the chunk alone and stays what it is.
            if !metadata.contains(name) { kept += file[place..<next] }
            if name == end { return kept }
            place = next
        }
    }
}
