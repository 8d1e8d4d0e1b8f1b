import Wire

/// The head of an image's file: what it is, for which board, and how long. The file is this head, the payload, and once the hub has
/// signed it an Ed25519 signature of all before it.
///
/// 64 bytes, numbers with the lowest byte first: `TDMI`; format, 1; flags, of which bit 0 says that it may take the place of a
/// newer one; the number of the attempt; a zero; the version's three numbers, 2 bytes each; two zeros; the board, 16 bytes; the image, 16 bytes; the length
/// of the payload, 4 bytes; its CRC-32; four zeros; the CRC-32 of the 60 bytes before.
public struct ImageHeader: Equatable, Sendable {
    /// The bytes of a header.
    public static var size: Int { 64 }
    /// The bytes of a signature.
    public static var signatureSize: Int { 64 }
    /// The longest payload, bytes.
    public static var longestPayload: Int { 122_880 }
    private static var format: UInt8 { 1 }

    /// The board.
    public var board: ImageName
    /// What the board becomes by it.
    public var kind: ImageName
    /// The version.
    public var version: ImageVersion
    /// Whether it may take the place of a newer one.
    public var mayBeOlder: Bool
    /// The number of the hub's attempt, which wraps around: a device takes an image that it has given up only by another number.
    public var attempt: UInt8
    /// The length of the payload, bytes.
    public var length: Int
    /// The CRC-32 of the payload.
    public var checksum: UInt32

    /// The length of the whole file with its signature, bytes.
    public var signedSize: Int { Self.size + length + Self.signatureSize }

    /// A header by its fields.
    public init(
        board: ImageName, kind: ImageName, version: ImageVersion, mayBeOlder: Bool = false, attempt: UInt8 = 0,
        length: Int, checksum: UInt32
    ) {
        self.board = board
        self.kind = kind
        self.version = version
        self.mayBeOlder = mayBeOlder
        self.attempt = attempt
        self.length = length
        self.checksum = checksum
    }

    /// Reads a header from the beginning of `bytes`.
    public init(decoding bytes: Span<UInt8>) throws(ImageFault) {
        guard bytes.count >= Self.size else { throw .cutOff }
        guard hasPrefix(bytes, "TDMI") else { throw .noMagic }
        func number(_ place: Int) -> UInt32 {
            UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
                | UInt32(bytes[place + 3]) << 24
        }
        var crc: UInt32 = 0
        for index in 0..<60 { crc = crc32(bytes[index], after: crc) }
        guard crc == number(60) else { throw .headerChecksum }
        guard bytes[4] == Self.format, bytes[5] & 0xFE == 0, bytes[7] == 0, bytes[14] == 0, bytes[15] == 0,
            number(56) == 0
        else { throw .unknownFormat }
        guard let board = ImageName(padded: bytes.extracting(16..<32)),
            let kind = ImageName(padded: bytes.extracting(32..<48))
        else { throw .badName }
        version = ImageVersion(
            UInt16(truncatingIfNeeded: number(8)), UInt16(truncatingIfNeeded: number(8) >> 16),
            UInt16(truncatingIfNeeded: number(12)))
        guard version != ImageVersion(0, 0, 0) else { throw .badVersion }
        guard number(48) > 0, number(48) <= UInt32(Self.longestPayload) else { throw .badLength }
        self.board = board
        self.kind = kind
        mayBeOlder = bytes[5] & 1 != 0
        attempt = bytes[6]
        length = Int(number(48))
        checksum = number(52)
    }

    /// Reads the header of a whole file without a signature, and compares the payload with it.
    public init(checking file: Span<UInt8>) throws(ImageFault) {
        try self.init(decoding: file)
        guard file.count >= Self.size + length else { throw .cutOff }
        guard file.count == Self.size + length else { throw .tooMuch }
        var crc: UInt32 = 0
        for index in Self.size..<file.count { crc = crc32(file[index], after: crc) }
        guard crc == checksum else { throw .payloadChecksum }
    }

    /// The number by which an offer is known: the header's own CRC-32.
    public var identity: UInt32 {
        let bytes = bytes
        var crc: UInt32 = 0
        for index in 0..<60 { crc = crc32(bytes[index], after: crc) }
        return crc
    }

    /// Appends the header.
    public func encode(into sink: inout some ByteSink) {
        let bytes = bytes
        for index in 0..<60 { sink.append(bytes[index]) }
        sink.put(identity)
    }

    private var bytes: InlineArray<60, UInt8> {
        var bytes = InlineArray<60, UInt8>(repeating: 0)
        func put(_ number: UInt32, _ place: Int) {
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))) }
        }
        for index in 0..<4 { bytes[index] = ("TDMI" as StaticString).utf8Start[index] }
        bytes[4] = Self.format
        bytes[5] = mayBeOlder ? 1 : 0
        bytes[6] = attempt
        put(UInt32(version.major) | UInt32(version.minor) << 16, 8)
        put(UInt32(version.patch), 12)
        for index in 0..<ImageName.longest {
            bytes[16 + index] = board[index]
            bytes[32 + index] = kind[index]
        }
        put(UInt32(length), 48)
        put(checksum, 52)
        return bytes
    }

    /// Refuses an image that another one cannot make place for.
    public func check(mayReplace running: ImageHeader) throws(ImageFault) {
        guard board == running.board else { throw .otherBoard }
        guard kind == running.kind else { throw .otherKind }
        guard version >= running.version || mayBeOlder else { throw .older }
    }
}
