/// What stands around the bytes of something that is stored and sent: in front, letters that say what it is (its magic
/// number) and the version of its codec; behind, the CRC-32 of all before, its lowest byte first. It finds what was damaged
/// on its way, not what was forged.
public struct Seal: Sendable {
    private let mark: StaticString
    private let version: UInt8

    /// - Parameters:
    ///   - mark: letters of ASCII.
    ///   - version: from 1; this build reads and writes no other.
    public init(mark: StaticString, version: UInt8) {
        self.mark = mark
        self.version = version
    }

    /// How many bytes it adds to the content.
    public var count: Int { mark.utf8CodeUnitCount + 5 }

    /// What the content is appended to, before ``close(_:)``.
    ///
    /// - Parameter count: so many bytes there will be, about.
    public func begun(reserving count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        mark.withUTF8Buffer { letters in
            for letter in letters { bytes.append(letter) }
        }
        bytes.append(version)
        return bytes
    }

    /// Where the content begins.
    public var contentStart: Int { mark.utf8CodeUnitCount + 1 }

    /// Why bytes that begin with a mark and a version cannot be read by this build; nil where they can. Asked of sealed
    /// bytes, and of those that are not closed yet.
    public func failure(inBeginningOf bytes: [UInt8]) -> SealError? {
        let start = contentStart
        guard bytes.count >= start, hasPrefix(bytes.span, mark), bytes[start - 1] >= version else {
            return .unrecognized
        }
        return bytes[start - 1] == version ? nil : .newerVersion(bytes[start - 1])
    }

    /// Appends the checksum of all that is there.
    public static func close(_ bytes: inout [UInt8]) { bytes.append(littleEndian: crc32(bytes[...])) }

    /// The content of sealed bytes.
    ///
    /// - Parameter read: reads the content. What it throws counts where the bytes are what was written: what is wrong in
    ///   bytes that were changed on their way says nothing about who wrote them.
    /// - Throws: a ``SealError`` as the codec's own error, or what `read` throws.
    public func opened<Content, Failure: SealedCodecError>(
        _ bytes: [UInt8], read: (inout LittleEndianReader) throws(Failure) -> Content
    ) throws(Failure) -> Content {
        if let failure = failure(inBeginningOf: bytes) { throw .seal(failure) }
        let start = contentStart
        let end = bytes.count - 4
        guard end >= start else { throw .seal(.cutOff) }
        var checksum = LittleEndianReader(bytes[end...])
        let isWhole = checksum.uint32() == crc32(bytes[..<end])
        var reader = LittleEndianReader(bytes[start..<end])
        let content: Content
        do throws(Failure) {
            content = try read(&reader)
        } catch {
            if reader.isCutOff { throw .seal(.cutOff) }
            throw isWhole ? error : .seal(.damaged)
        }
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        guard reader.remaining == 0 else { throw .seal(.trailingBytes) }
        guard isWhole else { throw .seal(.damaged) }
        return content
    }
}

/// Why sealed bytes cannot be opened.
public enum SealError: Sendable, Equatable {
    /// They do not begin as what was looked for does.
    case unrecognized
    /// They are of a version of the codec that came after this build.
    case newerVersion(UInt8)
    /// They are fewer than they say.
    case cutOff
    /// They are more than they say.
    case trailingBytes
    /// They are not what was written: the checksum is another.
    case damaged

    /// Its number, which the page receives: 1 to 5, the first of each codec's.
    public var number: Int32 {
        switch self {
        case .unrecognized: 1
        case .newerVersion: 2
        case .cutOff: 3
        case .trailingBytes: 4
        case .damaged: 5
        }
    }
}

/// The error of a codec whose bytes are sealed.
public protocol SealedCodecError: Error, Sendable {
    /// They cannot be opened.
    static func seal(_ failure: SealError) -> Self

    /// Its number, which the page receives: 1 and up.
    var number: Int32 { get }
}
