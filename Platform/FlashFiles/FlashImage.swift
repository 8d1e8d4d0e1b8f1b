/// What is written into a board's flash memory: pieces that do not overlap, in the order of their addresses.
public struct FlashImage: Equatable, Sendable {
    /// Bytes that lie one after the other.
    public struct Piece: Equatable, Sendable {
        /// The address of the first byte.
        public let address: UInt32
        /// The bytes, one at least.
        public let bytes: [UInt8]

        /// Bytes from an address on.
        public init(address: UInt32, bytes: [UInt8]) {
            self.address = address
            self.bytes = bytes
        }

        /// The address behind the last byte.
        public var end: UInt64 { UInt64(address) + UInt64(bytes.count) }
    }

    /// The pieces, by their addresses.
    public let pieces: [Piece]

    /// An image of pieces in any order. Empty ones are left out.
    public init(_ pieces: [Piece]) throws(FlashImageError) {
        let sorted = pieces.filter { !$0.bytes.isEmpty }.sorted { $0.address < $1.address }
        guard !sorted.isEmpty else { throw .nothingToWrite }
        for (piece, next) in zip(sorted, sorted.dropFirst()) where piece.end > UInt64(next.address) {
            throw .overlap(address: next.address)
        }
        self.pieces = sorted
    }

    /// The image of a file, ELF or UF2, by how it begins.
    public init(file: [UInt8]) throws(FlashImageError) {
        self = try file.starts(with: UF2.beginning) ? UF2.image(of: file) : ELF.image(of: file)
    }

    /// All bytes from the first to the last piece, with what an erased memory has between them: ones.
    ///
    /// - Parameters:
    ///   - range: where the pieces must lie, whose length bounds the result.
    ///   - unit: what the first address and the count are rounded to, a power of two.
    public func contiguous(in range: Range<UInt32>, unit: UInt32) throws(FlashImageError) -> Piece {
        for piece in pieces where piece.address < range.lowerBound || piece.end > UInt64(range.upperBound) {
            throw .outside(address: piece.address)
        }
        // An image has a piece (see init), and each is within the range.
        guard let first = pieces.first, let last = pieces.last else { throw .nothingToWrite }
        let start = first.address & ~(unit - 1)
        let end = (last.end + UInt64(unit) - 1) & ~UInt64(unit - 1)
        var bytes = [UInt8](repeating: 0xFF, count: Int(end - UInt64(start)))
        for piece in pieces {
            let place = Int(piece.address - start)
            bytes.replaceSubrange(place..<place + piece.bytes.count, with: piece.bytes)
        }
        return Piece(address: start, bytes: bytes)
    }
}

/// The reason why a file is no image for a board.
public enum FlashImageError: Error, Equatable, Sendable {
    /// It is neither ELF nor UF2.
    case unknownFormat
    /// It is an ELF file for a processor of 64 bits, or with the highest byte first.
    case otherWordSize
    /// It is an ELF file for another processor than ARM's.
    case otherProcessor
    /// It is an object file or a library, that is no program yet.
    case notLinked
    /// It ends before what it announces.
    case truncated
    /// It has nothing for the flash memory.
    case nothingToWrite
    /// Two of its parts lie at this address.
    case overlap(address: UInt32)
    /// A part of it, at this address, lies outside of the board's flash memory.
    case outside(address: UInt32)
    /// The UF2 block with this number, from 0 on, is damaged.
    case damagedBlock(Int)
    /// The UF2 file is for another family of chips, by its number; nil if it names none.
    case otherFamily(UInt32?)
    /// The checksum by which the Pico's boot ROM knows an image is wrong.
    case bootChecksum

    /// The reason with what to do, in words that follow the file's name.
    public var message: String {
        switch self {
        case .unknownFormat:
            "is no image: neither an ELF nor a UF2 file. `make firmware` puts them into .build-firmware/images."
        case .otherWordSize:
            "is a program for a processor of 64 bits, or of another byte order. Is it this computer’s own?"
        case .otherProcessor: "is a program for another processor than a board’s, which is ARM’s."
        case .notLinked: "is a part of a program, and not linked yet."
        case .truncated: "ends too early: it was not copied as a whole. Copy it again."
        case .nothingToWrite: "has nothing for a board’s flash memory in it."
        case .overlap(let address): "is damaged: two of its parts lie at \(hexadecimal(address))."
        case .outside(let address):
            "is for another board: a part of it lies at \(hexadecimal(address)), where this one has no flash memory for it."
        case .damagedBlock(let number): "is damaged, in its block \(number). Copy it again."
        case .otherFamily(let family?): "is for another family of chips (\(hexadecimal(family)))."
        case .otherFamily(nil): "does not say which family of chips it is for."
        case .bootChecksum: "would not start: its boot stage has another checksum. `make firmware` fills it in."
        }
    }
}

/// A number as addresses are written: `0x10000000`.
func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
}
