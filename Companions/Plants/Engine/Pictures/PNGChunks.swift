/// The chunks of a PNG file. Source: W3C, Portable Network Graphics, third edition, 5.2, 5.3 and 11.
enum PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let header: [UInt8] = [0x49, 0x48, 0x44, 0x52]  // IHDR
    private static let headerCount: UInt32 = 13
    private static let end: [UInt8] = [0x49, 0x45, 0x4E, 0x44]  // IEND
    /// The chunks that may stay, because the picture is drawn with them: its pixels, colours, transparency, density, and the
    /// frames of one that moves; each with the lengths that its clause gives it. One of another length is read by no browser.
    private static let drawn: [(name: [UInt8], lengths: ClosedRange<UInt32>)] = [
        (header, headerCount...headerCount),
        ([0x50, 0x4C, 0x54, 0x45], 3...768),  // PLTE
        ([0x49, 0x44, 0x41, 0x54], 0...longest),  // IDAT
        ([0x74, 0x52, 0x4E, 0x53], 1...256),  // tRNS
        ([0x63, 0x48, 0x52, 0x4D], 32...32),  // cHRM
        ([0x67, 0x41, 0x4D, 0x41], 4...4),  // gAMA
        ([0x69, 0x43, 0x43, 0x50], 3...longest),  // iCCP
        ([0x73, 0x42, 0x49, 0x54], 1...4),  // sBIT
        ([0x73, 0x52, 0x47, 0x42], 1...1),  // sRGB
        ([0x63, 0x49, 0x43, 0x50], 4...4),  // cICP
        ([0x6D, 0x44, 0x43, 0x56], 24...24),  // mDCV
        ([0x63, 0x4C, 0x4C, 0x49], 8...8),  // cLLI
        ([0x62, 0x4B, 0x47, 0x44], 1...6),  // bKGD
        ([0x70, 0x48, 0x59, 0x73], 9...9),  // pHYs
        ([0x61, 0x63, 0x54, 0x4C], 8...8),  // acTL
        ([0x66, 0x63, 0x54, 0x4C], 26...26),  // fcTL
        ([0x66, 0x64, 0x41, 0x54], 4...longest),  // fdAT
    ]
    /// The last chunk, which is empty, with its length and checksum.
    private static let emptyEnd: [UInt8] = [0, 0, 0, 0] + end + [0xAE, 0x42, 0x60, 0x82]
    /// The size of a chunk's length, name and checksum, in bytes.
    private static let frame = 12
    /// The greatest length of a chunk by the standard, in bytes.
    private static let longest: UInt32 = 0x7FFF_FFFF

    /// The file without what is not drawn.
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
            let length = bigEndian32(file, at: place)
            let name = Array(file[place + 4..<place + 8])
            let isFirst = place == signature.count
            guard length <= longest, isFirst == (name == header) else { throw .malformed }
            guard Int(length) <= left - frame else { throw .truncated }
            let next = place + frame + Int(length)
            if isFirst {
                guard length == headerCount else { throw .malformed }
                // Its width and height, from 1 to 2^31 - 1 (11.1 and 7.1).
                for offset in [8, 12] {
                    guard (1...longest).contains(bigEndian32(file, at: place + offset)) else { throw .size }
                }
            }
            // With its checksum, which is of the chunk alone and stays what it is.
            if drawn.contains(where: { $0.name == name && $0.lengths.contains(length) }) { kept += file[place..<next] }
            if name == end { return kept + emptyEnd }
            place = next
        }
    }

    private static func bigEndian32(_ file: [UInt8], at place: Int) -> UInt32 {
        UInt32(file[place]) << 24 | UInt32(file[place + 1]) << 16 | UInt32(file[place + 2]) << 8
            | UInt32(file[place + 3])
    }
}
