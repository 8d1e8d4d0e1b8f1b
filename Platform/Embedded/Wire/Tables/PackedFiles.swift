/// The reason why a ZIP file, or one of its files, cannot be unpacked.
public enum PackedFilesError: Error, Sendable, Equatable {
    /// The bytes are no ZIP file, or its directory is missing: it was cut short.
    case notPacked
    /// A file contradicts what is said of it.
    case damaged
    /// A file is encrypted.
    case encrypted
    /// A file is compressed in a way that is not read: neither stored nor by DEFLATE.
    case unknownMethod
    /// More files, or more bytes, than are unpacked.
    case tooLarge
}

/// The files in a ZIP file that another program packed (PKWARE's APPNOTE.TXT 6.3): stored, or compressed by DEFLATE.
///
/// Sizes are those of the directory at its end, since programs that pack as they go write none before a file (4.4.4, bit
/// 3). A file never unfolds to more than the directory says of it, and all of them together to no more than the limits.
public struct PackedFiles: Sendable {
    /// The limits of a ZIP file.
    public struct Limits: Sendable, Equatable {
        /// The most files.
        public var files = 1_000
        /// The most bytes that all files together unfold to.
        public var bytes = 128 << 20

        /// The default limits.
        public init() {}
    }

    /// A file in it.
    public struct File: Sendable, Equatable {
        /// The path, UTF-8, with `/` between folders. It is a name alone: nothing is ever written to it.
        public var name: [UInt8]
        /// The size of what it unfolds to, as the directory says it.
        public var bytes: Int
        fileprivate var packedBytes: Int
        fileprivate var method: Int
        fileprivate var isEncrypted: Bool
        fileprivate var checksum: UInt32
        fileprivate var header: Int
    }

    /// The files in the order of the directory, without folders.
    public private(set) var files: [File] = []
    private let archive: [UInt8]

    /// Whether bytes begin as a ZIP file does (4.3.7: the signature of a local file header).
    public static func isPacked(_ file: [UInt8]) -> Bool { file.starts(with: [0x50, 0x4B, 3, 4]) }

    /// Reads the directory.
    public init(_ archive: [UInt8], limits: Limits = Limits()) throws(PackedFilesError) {
        self.archive = archive
        guard let end = Self.end(of: archive) else { throw .notPacked }
        var place = end.directory
        var left = limits.bytes
        for number in 0..<end.count {
            guard number < limits.files else { throw .tooLarge }
            guard Self.number(archive, place, 4) == 0x0201_4B50, let flags = Self.count(archive, place + 8),
                let method = Self.count(archive, place + 10), let checksum = Self.number(archive, place + 16, 4),
                var packed = Self.number(archive, place + 20, 4), var bytes = Self.number(archive, place + 24, 4),
                let nameBytes = Self.count(archive, place + 28), let extraBytes = Self.count(archive, place + 30),
                let commentBytes = Self.count(archive, place + 32),
                var header = Self.number(archive, place + 42, 4),
                archive.count - place - 46 >= nameBytes + extraBytes + commentBytes
            else {
                // What is listed before it is there all the same.
                if files.isEmpty { throw .notPacked }
                break
            }
            let name = Array(archive[(place + 46)..<(place + 46 + nameBytes)])
            Self.widen(&bytes, &packed, &header, archive, place + 46 + nameBytes, extraBytes)
            place += 46 + nameBytes + extraBytes + commentBytes
            guard let last = name.last, last != UInt8(ascii: "/") else { continue }
            guard bytes <= UInt64(left) else { throw .tooLarge }
            left -= Int(bytes)
            files.append(
                File(
                    name: utf8Text(of: name), bytes: Int(bytes), packedBytes: Int(exactly: packed) ?? -1,
                    method: method,
                    isEncrypted: flags & 1 != 0, checksum: UInt32(truncatingIfNeeded: checksum),
                    header: Self.sum(header, end.shift)))
        }
    }

    /// The bytes of a file.
    public func content(of file: File) throws(PackedFilesError) -> [UInt8] {
        guard !file.isEncrypted else { throw .encrypted }
        guard file.method == 0 || file.method == 8 else { throw .unknownMethod }
        guard Self.number(archive, file.header, 4) == 0x0403_4B50,
            let nameBytes = Self.count(archive, file.header + 26),
            let extraBytes = Self.count(archive, file.header + 28)
        else { throw .damaged }
        let start = file.header + 30 + nameBytes + extraBytes
        guard file.packedBytes >= 0, start <= archive.count, file.packedBytes <= archive.count - start else {
            throw .damaged
        }
        var content: [UInt8]
        if file.method == 0 {
            guard file.packedBytes == file.bytes else { throw .damaged }
            content = Array(archive[start..<(start + file.packedBytes)])
        } else {
            do throws(InflateError) {
                content = try inflated(
                    archive.span.extracting(start..<(start + file.packedBytes)), upTo: file.bytes)
            } catch {
                throw .damaged
            }
            guard content.count == file.bytes else { throw .damaged }
        }
        guard crc32(content[...]) == file.checksum else { throw .damaged }
        return content
    }

    /// The end of the directory (4.3.16), which a comment may follow: how many files it lists, where it begins, and how many
    /// bytes stand before the archive's own first.
    private static func end(of archive: [UInt8]) -> (count: UInt64, directory: Int, shift: Int64)? {
        var place = archive.count - 22
        let earliest = max(0, place - Int(UInt16.max))
        while place >= earliest, number(archive, place, 4) != 0x0605_4B50 { place -= 1 }
        guard place >= earliest, place >= 0, let count = number(archive, place + 10, 2),
            let bytes = number(archive, place + 12, 4), let start = number(archive, place + 16, 4)
        else { return nil }
        // Larger ones have another record before it (4.3.14), which begins with a place for its own length.
        if bytes == 0xFFFF_FFFF || start == 0xFFFF_FFFF || count == 0xFFFF {
            guard number(archive, place - 20, 4) == 0x0706_4B50, let wide = number(archive, place - 12, 8),
                let record = Int(exactly: wide), number(archive, record, 4) == 0x0606_4B50,
                let count = number(archive, record + 32, 8), let start = number(archive, record + 48, 8),
                start <= UInt64(archive.count)
            else { return nil }
            return (count, Int(start), 0)
        }
        guard bytes <= UInt64(place) else { return nil }
        let directory = place - Int(bytes)
        return (count, directory, Int64(directory) - Int64(start))
    }

    /// Takes what has no room in the directory's own fields from the further ones (4.5.3), in this order.
    private static func widen(
        _ bytes: inout UInt64, _ packed: inout UInt64, _ header: inout UInt64, _ archive: [UInt8], _ start: Int,
        _ count: Int
    ) {
        var place = start
        while place + 4 <= start + count, let tag = Self.count(archive, place),
            let size = Self.count(archive, place + 2)
        {
            if tag == 1 {
                var next = place + 4
                for field in 0..<3 {
                    let value = field == 0 ? bytes : field == 1 ? packed : header
                    guard value == 0xFFFF_FFFF else { continue }
                    guard next + 8 <= place + 4 + size, let wide = number(archive, next, 8) else { return }
                    switch field {
                    case 0: bytes = wide
                    case 1: packed = wide
                    default: header = wide
                    }
                    next += 8
                }
                return
            }
            place += 4 + size
        }
    }

    /// A place in the archive; -1 where it has none.
    private static func sum(_ header: UInt64, _ shift: Int64) -> Int {
        guard let header = Int64(exactly: header) else { return -1 }
        let (place, overflows) = header.addingReportingOverflow(shift)
        return overflows ? -1 : Int(exactly: place) ?? -1
    }

    /// A number of two bytes; nil where it is not there.
    private static func count(_ bytes: [UInt8], _ offset: Int) -> Int? { number(bytes, offset, 2).map { Int($0) } }

    /// A little-endian number; nil where it is not there. It may be larger than `Int` is, which has 32 bits in WebAssembly.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        var value: UInt64 = 0
        for place in 0..<count { value |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
        return value
    }
}
