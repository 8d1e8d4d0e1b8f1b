import BoardImages
import DeviceHAL
import Wire

/// The two slots of the flash memory, each of which holds an image's file.
public struct ImageSlots: Sendable {
    /// The pages of a slot: a header, the longest payload and a signature.
    public static var pages: Int { 31 }
    /// The pages that a memory with slots has.
    public static var pageCount: Int { 320 }

    private let pageSize: Int

    /// The slots of a memory.
    public init(pageSize: Int) { self.pageSize = pageSize }

    /// The first page of a slot, 0 or 1.
    public func firstPage(_ slot: UInt8) -> Int { slot == 0 ? 256 : 288 }

    /// The address of a slot's first byte.
    public func address(_ slot: UInt8) -> Int { firstPage(slot) * pageSize }

    /// The header of the image in a slot; nil where there is none.
    public func header(_ slot: UInt8, _ memory: inout some FlashMemory) throws(FlashError) -> ImageHeader? {
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        try memory.read(into: &bytes, at: address(slot))
        return try? ImageHeader(decoding: bytes.span)
    }

    /// The header of the image in a slot whose payload is whole.
    public func whole(_ slot: UInt8, _ memory: inout some FlashMemory) throws(FlashError) -> ImageHeader? {
        guard let header = try header(slot, &memory) else { return nil }
        var crc: UInt32 = 0
        try read(slot, ImageHeader.size..<ImageHeader.size + header.length, &memory) { piece in
            for index in 0..<piece.count { crc = crc32(piece[index], after: crc) }
        }
        return crc == header.checksum ? header : nil
    }

    /// Reads bytes of a slot, in pieces of at most 64.
    public func read(
        _ slot: UInt8, _ range: Range<Int>, _ memory: inout some FlashMemory, _ body: (Span<UInt8>) -> Void
    ) throws(FlashError) {
        var place = range.lowerBound
        var piece = InlineArray<64, UInt8>(repeating: 0)
        while place < range.upperBound {
            // A read may go on past the end of the range, never past that of the slot.
            let start = min(place, Self.pages * pageSize - 64)
            try memory.read(into: &piece, at: address(slot) + start)
            let end = min(start + 64, range.upperBound)
            body(piece.span.extracting(place - start..<end - start))
            place = end
        }
    }

    /// Whether the file in a slot is signed by a key.
    public func isSigned(
        _ slot: UInt8, _ header: ImageHeader, by key: InlineArray<32, UInt8>, _ memory: inout some FlashMemory
    ) throws(FlashError) -> Bool {
        let end = ImageHeader.size + header.length
        var signature = InlineArray<64, UInt8>(repeating: 0)
        var count = 0
        try read(slot, end..<end + ImageHeader.signatureSize, &memory) { piece in
            for index in 0..<piece.count {
                signature[count] = piece[index]
                count += 1
            }
        }
        var check = SignatureCheck(signature: signature, key: key)
        try read(slot, 0..<end, &memory) { piece in check.update(piece) }
        return check.isValid()
    }

    /// Writes bytes, after the ones before: erases each page that they begin.
    public func write(_ bytes: Span<UInt8>, _ slot: UInt8, at offset: Int, _ memory: inout some FlashMemory)
        throws(FlashError)
    {
        guard offset >= 0, offset + bytes.count <= Self.pages * pageSize else { throw .outOfRange }
        var place = 0
        while place < bytes.count {
            let within = (offset + place) % pageSize
            if within == 0 { try memory.erase(page: firstPage(slot) + (offset + place) / pageSize) }
            let end = min(bytes.count, place + pageSize - within)
            try memory.program(bytes.extracting(place..<end), at: address(slot) + offset + place)
            place = end
        }
    }
}
