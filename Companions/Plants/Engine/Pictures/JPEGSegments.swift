/// The segments of a JPEG file. Source: ITU-T T.81, B.1.1, B.2.2 and B.2.4.6.
enum JPEGSegments {
    private static let startOfScan: UInt8 = 0xDA
    private static let endOfImage: UInt8 = 0xD9
    /// The content of an APP0 segment up to its small picture: `JFIF` and a zero byte, version, density, and the small picture's
    /// width and height. Source: ITU-T T.871, 10.1.
    private static let jfif: [UInt8] = [0x4A, 0x46, 0x49, 0x46, 0]
    private static let jfifCount = 14
    /// The content of an APP14 segment: `Adobe`, version, flags and the colour transform. Source: Adobe, Supporting the DCT
    /// Filters in PostScript Level 2, 18.
    private static let adobe: [UInt8] = [0x41, 0x64, 0x6F, 0x62, 0x65]
    private static let adobeCount = 12
    /// The prefix of an APP2 segment with a colour profile: `ICC_PROFILE` and a zero byte. Source: ICC.1:2022, B.4.
    private static let colourProfile: [UInt8] = [
        0x49, 0x43, 0x43, 0x5F, 0x50, 0x52, 0x4F, 0x46, 0x49, 0x4C, 0x45, 0,
    ]

    /// The file without what is not drawn.
    ///
    /// - Parameter file: the file, which begins with the start marker.
    static func withoutMetadata(_ file: [UInt8]) throws(PictureFile.Failure) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(file.count)
        kept += [0xFF, 0xD8]
        var hasFrame = false
        var place = 2
        while true {
            guard place < file.count else { throw .truncated }
            // Any number of fill bytes may precede a marker. Bytes that are none, such as the zeros by which some encoders
            // align a segment, are left out with a warning by libjpeg, and by every browser; here too. No marker is 00.
            guard let prefix = file[place...].firstIndex(of: 0xFF) else { throw .truncated }
            place = prefix
            while place < file.count, file[place] == 0xFF { place += 1 }
            guard place < file.count else { throw .truncated }
            let marker = file[place]
            if marker == 0 { continue }
            place += 1
            if marker == endOfImage {
                // Tables alone, which an abbreviated format has (B.5), are drawn by nobody.
                guard hasFrame else { throw .size }
                kept += [0xFF, endOfImage]
                return kept
            }
            guard hasLength(marker) else { throw .malformed }
            guard place + 2 <= file.count else { throw .truncated }
            let length = Int(file[place]) << 8 | Int(file[place + 1])
            guard length >= 2 else { throw .malformed }
            guard length <= file.count - place else { throw .truncated }
            let content = file[place + 2..<place + length]
            place += length
            if isFrame(marker) {
                try checkSize(Array(content))
                hasFrame = true
            }
            guard let count = keptCount(marker, content) else { continue }
            guard count <= content.count else { throw .malformed }
            kept += [0xFF, marker, UInt8(truncatingIfNeeded: (count + 2) >> 8), UInt8(truncatingIfNeeded: count + 2)]
            kept += content.prefix(count)
            // The small picture's width and height.
            if marker == 0xE0 { for index in kept.count - 2..<kept.count { kept[index] = 0 } }
            if marker == startOfScan {
                let end = endOfScan(file, from: place)
                kept += file[place..<end]
                place = end
            }
        }
    }

    /// Whether a marker has a length. All have, except the start and end of a picture, the restarts of a scan, TEM, and
    /// an escaped byte of a scan.
    private static func hasLength(_ marker: UInt8) -> Bool {
        marker > 0x01 && !(0xD0...0xD8).contains(marker)
    }

    /// Whether a segment says how a frame is coded, and how large it is: SOF0 to SOF15, without the three others of that row.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
    }

    /// Refuses a frame (B.2.2: precision, height, width) without a size. A height of 0, which a later segment would say, is
    /// shown by no browser.
    private static func checkSize(_ content: [UInt8]) throws(PictureFile.Failure) {
        guard content.count >= 6 else { throw .malformed }
        guard content[1] | content[2] > 0, content[3] | content[4] > 0 else { throw .size }
    }

    /// The number of bytes of a segment's content that may stay, because the picture is drawn with it: frames, tables, scans
    /// and restarts, its density without the small picture (JFIF), its colour profile, and the colours of Adobe's encoders. Nil
    /// for all else. Bytes behind what a segment itself says that it has are no part of it; more than it has are missing.
    private static func keptCount(_ marker: UInt8, _ content: ArraySlice<UInt8>) -> Int? {
        let first = content.first.map(Int.init) ?? 0
        return switch marker {
        case 0xC4: tablesCount(content, of: huffmanTableCount)
        case 0xDB: tablesCount(content, of: quantizationTableCount)
        case 0xCC: content.count & ~1  // pairs of a table and its value (B.2.4.3)
        case 0xDC, 0xDD: 2  // a number of lines or of units (B.2.5, B.2.4.4)
        case startOfScan: 4 + 2 * first  // components, and what of each is coded (B.2.3)
        case _ where isFrame(marker): 6 + 3 * Int(content[content.startIndex + 5])  // and its components (B.2.2)
        case 0xE0 where content.count >= jfifCount && content.starts(with: jfif): jfifCount
        case 0xE2 where content.starts(with: colourProfile): content.count
        case 0xEE where content.count >= adobeCount && content.starts(with: adobe): adobeCount
        default: nil
        }
    }

    /// The number of bytes of the whole tables at the beginning of a segment.
    ///
    /// - Parameter count: the number of bytes of the table at the beginning of what is left; nil where it is cut off.
    private static func tablesCount(_ content: ArraySlice<UInt8>, of count: (ArraySlice<UInt8>) -> Int?) -> Int {
        var left = content
        while let table = count(left), table <= left.count { left = left.dropFirst(table) }
        return content.count - left.count
    }

    /// A Huffman table: its class and destination, 16 counts of codes, and as many values (B.2.4.2).
    private static func huffmanTableCount(_ content: ArraySlice<UInt8>) -> Int? {
        guard content.count >= 17, let first = content.first, first >> 4 <= 1, first & 0x0F <= 3 else { return nil }
        return 17 + content.dropFirst().prefix(16).reduce(0) { $0 + Int($1) }
    }

    /// A quantization table: its precision and destination, and 64 values of one or two bytes (B.2.4.1).
    private static func quantizationTableCount(_ content: ArraySlice<UInt8>) -> Int? {
        guard let first = content.first, first >> 4 <= 1, first & 0x0F <= 3 else { return nil }
        return first >> 4 == 0 ? 65 : 129
    }

    /// The position of the next marker that is not a restart, or the end of the file.
    private static func endOfScan(_ file: [UInt8], from start: Int) -> Int {
        var place = start
        while place < file.count {
            if file[place] == 0xFF, place + 1 < file.count {
                let next = file[place + 1]
                if next != 0, !(0xD0...0xD7).contains(next) { return place }
            }
            place += 1
        }
        return place
    }
}
