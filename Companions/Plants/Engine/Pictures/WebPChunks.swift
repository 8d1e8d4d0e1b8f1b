import Wire

/// The chunks of a WebP file, which is a RIFF file. Source: RFC 9649, 2.3 to 2.7; of the bit streams' sizes RFC 6386, 9.1.
enum WebPChunks {
    private static let riff: [UInt8] = [0x52, 0x49, 0x46, 0x46]  // RIFF
    private static let webp: [UInt8] = [0x57, 0x45, 0x42, 0x50]  // WEBP
    private static let features: [UInt8] = [0x56, 0x50, 0x38, 0x58]  // VP8X
    private static let lossy: [UInt8] = [0x56, 0x50, 0x38, 0x20]  // VP8
    private static let lossless: [UInt8] = [0x56, 0x50, 0x38, 0x4C]  // VP8L
    /// The names of the chunks that can be the first.
    private static let first: [[UInt8]] = [features, lossy, lossless]
    private static let animation: [UInt8] = [0x41, 0x4E, 0x49, 0x4D]  // ANIM
    /// The size of the background's colour and the number of rounds.
    private static let animationCount = 6
    private static let animationFrame: [UInt8] = [0x41, 0x4E, 0x4D, 0x46]  // ANMF
    /// The names of the chunks that may stay as they are in a file, and in a frame of one that moves.
    private static let drawn: [[UInt8]] =
        drawnInFrame + [
            [0x49, 0x43, 0x43, 0x50],  // ICCP
            animation,
        ]
    private static let drawnInFrame: [[UInt8]] = [
        lossy, lossless,
        [0x41, 0x4C, 0x50, 0x48],  // ALPH
    ]
    /// The flags that may stay in the first byte of the features: a colour profile, transparency, and that it moves.
    private static let flags: UInt8 = 0x20 | 0x10 | 0x02
    private static let featuresCount: UInt32 = 10
    /// The size of a frame's place, size and time, before its chunks.
    private static let frameHeader = 16
    /// The size of `RIFF`, the size field and `WEBP`, in bytes.
    private static let preamble = 12

    static func isWebP(_ file: [UInt8]) -> Bool {
        file.count >= preamble && file.starts(with: riff) && file[8..<preamble].starts(with: webp)
    }

    /// The file without what is not drawn.
    ///
    /// - Parameter file: a file for which ``isWebP(_:)`` is true.
    static func withoutMetadata(_ file: [UInt8]) throws(PictureFile.Failure) -> [UInt8] {
        let size = littleEndian32(file, at: 4)
        // The size is of what follows it.
        guard size >= 4 else { throw .malformed }
        guard UInt64(size) <= UInt64(file.count - 8) else { throw .truncated }
        let end = 8 + Int(size)
        if end > preamble {
            guard first.contains(where: { file[preamble..<end].starts(with: $0) }) else { throw .malformed }
        }
        let kept = try chunks(file, preamble..<end, isFrame: false)
        guard !kept.isEmpty else { throw .malformed }
        var whole = riff
        whole.reserveCapacity(preamble + kept.count)
        whole.append(littleEndian: UInt32(truncatingIfNeeded: webp.count + kept.count))
        whole += webp
        whole += kept
        return whole
    }

    /// The chunks of a part of the file that may stay.
    ///
    /// - Parameter isFrame: whether the part is what a frame of a moving picture has in it.
    private static func chunks(_ file: [UInt8], _ range: Range<Int>, isFrame: Bool) throws(PictureFile.Failure)
        -> [UInt8]
    {
        var kept: [UInt8] = []
        var place = range.lowerBound
        while place < range.upperBound {
            guard range.upperBound - place >= 8 else { throw .malformed }
            let name = Array(file[place..<place + 4])
            let length = littleEndian32(file, at: place + 4)
            // A chunk of an odd length is followed by one byte more.
            let padded = UInt64(length) + UInt64(length % 2)
            guard padded <= UInt64(range.upperBound - place - 8) else { throw .malformed }
            let content = place + 8..<place + 8 + Int(length)
            let next = place + 8 + Int(padded)
            if name == lossy { try checkSize(file, content) }
            if !isFrame, name == features {
                guard length >= featuresCount else { throw .malformed }
                try checkCanvas(file, content.lowerBound)
                kept += name
                kept.append(littleEndian: featuresCount)
                kept += [file[content.lowerBound] & flags, 0, 0, 0]
                kept += file[content.lowerBound + 4..<content.lowerBound + Int(featuresCount)]
            } else if !isFrame, name == animationFrame {
                guard content.count >= frameHeader else { throw .malformed }
                let inner = content.lowerBound + frameHeader
                let frame = try chunks(file, inner..<content.upperBound, isFrame: true)
                kept += name
                // An even number: each chunk in it is padded.
                kept.append(littleEndian: UInt32(truncatingIfNeeded: frameHeader + frame.count))
                kept += file[content.lowerBound..<inner]
                kept += frame
            } else if (isFrame ? drawnInFrame : drawn).contains(name) {
                // The length of one is fixed, and a byte that pads an odd one is zero.
                let count = name == animation ? min(animationCount, content.count) : content.count
                kept += name
                kept.append(littleEndian: UInt32(truncatingIfNeeded: count))
                kept += file[content].prefix(count)
                if count % 2 == 1 { kept.append(0) }
            }
            place = next
        }
        return kept
    }

    /// Refuses a key frame (RFC 6386, 9.1) without a size: a tag of 3 bytes, the start code 9D 01 2A, then width and height of
    /// 14 bits each.
    private static func checkSize(_ file: [UInt8], _ content: Range<Int>) throws(PictureFile.Failure) {
        let start = content.lowerBound
        guard content.count >= 10, file[start + 3..<start + 6].elementsEqual([0x9D, 0x01, 0x2A]) else { return }
        for place in [start + 6, start + 8] {
            guard (UInt16(file[place]) | UInt16(file[place + 1]) << 8) & 0x3FFF > 0 else { throw .size }
        }
    }

    /// Refuses features (RFC 9649, 2.7) of too large a canvas: width and height less one, 24 bits each, whose product has 32 bits
    /// at most.
    private static func checkCanvas(_ file: [UInt8], _ start: Int) throws(PictureFile.Failure) {
        func lessOne(_ place: Int) -> UInt64 {
            UInt64(file[place]) | UInt64(file[place + 1]) << 8 | UInt64(file[place + 2]) << 16
        }
        guard (lessOne(start + 4) + 1) * (lessOne(start + 7) + 1) <= UInt64(UInt32.max) else { throw .size }
    }

    private static func littleEndian32(_ file: [UInt8], at place: Int) -> UInt32 {
        UInt32(file[place]) | UInt32(file[place + 1]) << 8 | UInt32(file[place + 2]) << 16
            | UInt32(file[place + 3]) << 24
    }
}
