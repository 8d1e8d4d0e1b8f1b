import Wire

/// The reader of ELF files for 32-bit ARM processors (System V ABI, edition 4.1, chapters 4 and 5; AAELF32).
enum ELF {
    /// The most program headers that are looked at. An image of ours has five.
    private static let mostSegments = 64

    /// What is stored on the board: the loadable segments at their physical addresses.
    static func image(of file: [UInt8]) throws(FlashImageError) -> FlashImage {
        var reader = LittleEndianReader(file[...])
        guard reader.take(4) == [0x7F, 0x45, 0x4C, 0x46] else { throw .unknownFormat }
        // EI_CLASS: 1 is 32 bits; EI_DATA: 1 is the lowest byte first.
        guard reader.take(2) == [1, 1] else { throw reader.isCutOff ? .truncated : .otherWordSize }
        _ = reader.take(10)
        let (kind, machine) = (reader.uint16(), reader.uint16())
        _ = reader.take(8)
        let headers = Int(reader.uint32())
        _ = reader.take(10)
        let (size, count) = (Int(reader.uint16()), Int(reader.uint16()))
        guard !reader.isCutOff else { throw .truncated }
        // EM_ARM, ET_EXEC.
        guard machine == 40 else { throw .otherProcessor }
        guard kind == 2 else { throw .notLinked }
        guard count > 0 else { throw .nothingToWrite }
        guard size >= 32, count <= mostSegments, headers <= file.count, size * count <= file.count - headers else {
            throw .truncated
        }
        var pieces: [FlashImage.Piece] = []
        for index in 0..<count {
            var header = LittleEndianReader(file[(headers + index * size)...])
            let kind = header.uint32()
            let offset = Int(header.uint32())
            _ = header.uint32()
            let (address, length) = (header.uint32(), Int(header.uint32()))
            // PT_LOAD. One without bytes in the file is memory that the start-up clears.
            guard kind == 1, length > 0 else { continue }
            guard offset <= file.count, length <= file.count - offset else { throw .truncated }
            guard UInt64(address) + UInt64(length) <= 1 << 32 else { throw .outside(address: address) }
            pieces.append(FlashImage.Piece(address: address, bytes: Array(file[offset..<offset + length])))
        }
        return try FlashImage(pieces)
    }
}
