/// The segments of a JPEG file. Source: ITU-T T.81, B.1.1 and B.2.4.6.
enum JPEGSegments {
    private static let startOfScan: UInt8 = 0xDA
    private static let endOfImage: UInt8 = 0xD9
    /// The prefix of an APP2 segment with a colour profile: `ICC_PROFILE` and a zero byte. Source: ICC.1:2022, B.4.
    private static let colourProfile: [UInt8] = [
        0x49, 0x43, 0x43, 0x5F, 0x50, 0x52, 0x4F, 0x46, 0x49, 0x4C, 0x45, 0,
    ]

    /// The file without metadata.
    ///
    /// - Parameter file: the file, which begins with the start marker.
    static func withoutMetadata(_ file: [UInt8]) throws(PictureFile.Failure) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(file.count)
        kept += [0xFF, 0xD8]
        var place = 2
        while true {
            guard place < file.count else { throw .truncated }
            guard file[place] == 0xFF else { throw .malformed }
            // Any number of fill bytes may precede a marker.
            while place < file.count, file[place] == 0xFF { place += 1 }
            guard place < file.count else { throw .truncated }
            let marker = file[place]
            place += 1
            if marker == endOfImage {
                kept += [0xFF, endOfImage]
                return kept
            }
            guard hasLength(marker) else { throw .malformed }
            guard place + 2 <= file.count else { throw .truncated }
            let length = Int(file[place]) << 8 | Int(file[place + 1])
            guard length >= 2 else { throw .malformed }
            guard length <= file.count - place else { throw .truncated }
            let segment = file[place..<place + length]
            place += length
            guard isKept(marker, content: segment.dropFirst(2)) else { continue }
            kept += [0xFF, marker]
            kept += segment
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

    /// Whether an application segment is kept, because the picture is drawn with it: its density (JFIF), its colour
    /// profile, which is one kind of APP2, and the colours of Adobe's encoders. Comments are removed.
    private static func isKept(_ marker: UInt8, content: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xE0, 0xEE: true
        case 0xE2: content.starts(with: colourProfile)
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
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
