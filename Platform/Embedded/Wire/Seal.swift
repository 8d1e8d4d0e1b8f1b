/// The envelope around encoded bytes that are stored or sent: in front, a magic number of ASCII letters and the version
/// of the codec; behind, the CRC-32 of everything before, in little-endian order. It detects damage, not forgery.
public struct Seal: Sendable {
    private let mark: StaticString
    private let version: UInt8

    /// Creates the envelope of a codec.
    ///
    /// - Parameters:
    ///   - mark: the magic number, in ASCII letters.
    ///   - version: the version from 1; this build reads and writes no other.
    public init(mark: StaticString, version: UInt8) {
        self.mark = mark
        self.version = version
    }

    /// The number of bytes that the envelope adds.
    public var count: Int { mark.utf8CodeUnitCount + 5 }

    /// The beginning of the envelope, to which the content is appended before ``close(_:)``.
    ///
    /// - Parameter count: the approximate number of bytes in total, for reserving memory.
    public func begun(reserving count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        mark.withUTF8Buffer { letters in
            for letter in letters { bytes.append(letter) }
        }
        bytes.append(version)
        return bytes
    }

    /// The offset at which the content begins.
    public var contentStart: Int { mark.utf8CodeUnitCount + 1 }

    /// The reason why bytes with this beginning cannot be read by this build; nil if they can. It works on finished
    /// bytes and on those without their end.
    public func failure(inBeginningOf bytes: [UInt8]) -> SealError? {
        let start = contentStart
        guard bytes.count >= start, hasPrefix(bytes.span, mark), bytes[start - 1] >= version else {
            return .unrecognized
        }
        return bytes[start - 1] == version ? nil : .newerVersion(bytes[start - 1])
    }

    /// A reader of the content of bytes that begin with the envelope and have no checksum, since they only grow.
    ///
    /// - Parameter failure: the codec's own error, as which the reason is thrown why this build cannot read them.
    public func reader<Failure: SealedCodecError>(of bytes: [UInt8], failing failure: Failure.Type) throws(Failure)
        -> LittleEndianReader
    {
        if let reason = self.failure(inBeginningOf: bytes) { throw .seal(reason) }
        return LittleEndianReader(bytes[contentStart...])
    }

    /// Appends the checksum of the bytes.
    public static func close(_ bytes: inout [UInt8]) { bytes.append(littleEndian: crc32(bytes[...])) }

    /// Opens an envelope and decodes its content.
    ///
    /// - Parameter read: decodes the content. Its error is thrown only if the checksum is right, since errors in
    ///   damaged bytes say nothing about their writer.
    /// - Throws: a ``SealError`` as the codec's own error, or the error of `read`.
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

/// The reason why an envelope cannot be opened.
public enum SealError: Sendable, Equatable {
    /// The bytes have another magic number, or none.
    case unrecognized
    /// The bytes are of a newer version of the codec.
    case newerVersion(UInt8)
    /// The bytes end too early.
    case cutOff
    /// The bytes go on behind the end.
    case trailingBytes
    /// The bytes were changed: the checksum is wrong.
    case damaged

    /// The number of the error, 1 to 5, as the page receives it. Each codec's own errors follow.
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

/// The error of a codec whose bytes have a ``Seal``.
public protocol SealedCodecError: Error, Sendable {
    /// An error of the envelope as the codec's error.
    static func seal(_ failure: SealError) -> Self

    /// The number of the error from 1 up, as the page receives it.
    var number: Int32 { get }
}
