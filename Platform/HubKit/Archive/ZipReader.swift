import Storage
import Wire

/// The bytes of an archive, readable at any offset.
public protocol ZipSource {
    /// The number of bytes.
    var count: Int { get }
    /// The bytes at an offset; fewer than `count` only at the end.
    func read(at offset: Int, count: Int) throws -> [UInt8]
}

extension [UInt8]: ZipSource {
    /// The bytes at an offset; fewer than `count` only at the end.
    public func read(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        return Array(self[offset..<Swift.min(offset + count, self.count)])
    }
}

/// A reader for ZIP archives whose files are not compressed, such as ``ZipWriter`` writes (PKWARE's APPNOTE.TXT 6.3).
///
/// The whole archive is checked against its headers before the first file is read: nothing expands to more than its
/// size, no name leads elsewhere, and no two files share a byte.
public struct ZipReader<Source: ZipSource> {
    /// A file in the archive.
    public struct File: Sendable, Equatable {
        /// The file's path, with `/` between folders.
        public let name: String
        /// The size of the content, in bytes.
        public let bytes: Int
        let checksum: UInt32
        /// The offsets of the file's header and content.
        let header: Int
        fileprivate(set) var start = 0
    }

    /// The number of files, at most.
    public static var mostFiles: Int { 1_000_000 }
    /// The length of a file's path in bytes, at most.
    public static var longestName: Int { 512 }
    private static var pieceBytes: Int { 1 << 16 }

    /// The files by their paths.
    public private(set) var files: [String: File] = [:]
    private let source: Source

    /// Reads the directory and all headers.
    ///
    /// - Throws: `ZipError`, and the errors of the source.
    public init(_ source: Source) throws {
        self.source = source
        let end = try Self.end(source)
        guard end.count <= Self.mostFiles else { throw ZipError.tooMany(end.count) }
        guard end.start >= 0, end.bytes >= 0, end.start <= end.at, end.bytes <= end.at - end.start,
            // A header of the directory has 46 bytes and a name.
            end.bytes >= end.count * 47
        else { throw ZipError.notAnArchive }
        var directory = ByteWindow(source, from: end.start, to: end.start + end.bytes)
        var inOrder: [File] = []
        for _ in 0..<end.count {
            guard let file = try Self.entry(&directory) else { continue }
            guard files.updateValue(file, forKey: file.name) == nil else { throw ZipError.repeated(file.name) }
            inOrder.append(file)
        }
        inOrder.sort { $0.header < $1.header }
        var free = 0
        for var file in inOrder {
            guard file.header >= free else { throw ZipError.overlapping(file.name) }
            file.start = try Self.contentStart(of: file, source)
            free = file.start + file.bytes
            guard free <= end.start else { throw ZipError.overlapping(file.name) }
            files[file.name] = file
        }
    }

    /// Calls `piece` with the content of a file, part by part.
    ///
    /// - Throws: `ZipError.damaged` after the last part if the checksum is wrong, and the errors of `piece`.
    public func read(_ file: File, _ piece: ([UInt8]) throws -> Void) throws {
        var (offset, rest, checksum) = (file.start, file.bytes, UInt32(0))
        while rest > 0 {
            let part = try source.read(at: offset, count: min(rest, Self.pieceBytes))
            guard !part.isEmpty else { throw ZipError.damaged(file.name) }
            checksum = part.withUnsafeBytes { SlicedChecksum.of($0, after: checksum) }
            offset += part.count
            rest -= part.count
            try piece(part)
        }
        guard checksum == file.checksum else { throw ZipError.damaged(file.name) }
    }

    /// The content of a file.
    ///
    /// - Parameter limit: the size that is allowed, in bytes.
    /// - Throws: `ZipError.tooLarge`, `ZipError.damaged`.
    public func content(of file: File, upTo limit: Int) throws -> [UInt8] {
        guard file.bytes <= limit else { throw ZipError.tooLarge(file.name) }
        var content: [UInt8] = []
        content.reserveCapacity(file.bytes)
        try read(file) { content += $0 }
        return content
    }

    // MARK: - Headers

    /// The position and size of the directory, as the end of the archive states them, and the offset of that end.
    private static func end(_ source: Source) throws -> (count: Int, bytes: Int, start: Int, at: Int) {
        // The record, and the longest comment behind it.
        let tailStart = max(source.count - 22 - Int(UInt16.max), 0)
        let tail = try source.read(at: tailStart, count: source.count - tailStart)
        var place = tail.count - 22
        while place >= 0 {
            if number(tail, place, 4) == 0x0605_4B50, place + 22 + (number(tail, place + 20, 2) ?? 0) == tail.count {
                break
            }
            place -= 1
        }
        guard place >= 0, let count = number(tail, place + 10, 2), let bytes = number(tail, place + 12, 4),
            let start = number(tail, place + 16, 4), number(tail, place + 8, 2) == count
        else { throw ZipError.notAnArchive }
        let at = tailStart + place
        guard count == 0xFFFF || bytes == 0xFFFF_FFFF || start == 0xFFFF_FFFF else { return (count, bytes, start, at) }
        // What has no room there stands in another record, which a third one leads to.
        let locator = try source.read(at: at - 20, count: 20)
        guard number(locator, 0, 4) == 0x0706_4B50, let record = number(locator, 8, 8), record <= at - 76 else {
            return (count, bytes, start, at)
        }
        let wide = try source.read(at: record, count: 56)
        guard number(wide, 0, 4) == 0x0606_4B50, let count = number(wide, 32, 8), let bytes = number(wide, 40, 8),
            let start = number(wide, 48, 8)
        else { throw ZipError.notAnArchive }
        return (count, bytes, start, record)
    }

    /// The next file in the directory; nil for a folder.
    private static func entry(_ directory: inout ByteWindow<Source>) throws -> File? {
        let head = try directory.next(46)
        guard number(head, 0, 4) == 0x0201_4B50, let flags = number(head, 8, 2), let method = number(head, 10, 2),
            let checksum = number(head, 16, 4), var stored = number(head, 20, 4), var bytes = number(head, 24, 4),
            let nameBytes = number(head, 28, 2), let extraBytes = number(head, 30, 2),
            let commentBytes = number(head, 32, 2), let attributes = number(head, 38, 4), let host = number(head, 5, 1),
            var header = number(head, 42, 4)
        else { throw ZipError.damaged("") }
        guard nameBytes <= longestName else { throw ZipError.hostileName("") }
        let letters = try directory.next(nameBytes)
        let extra = try directory.next(extraBytes)
        _ = try directory.next(commentBytes)
        guard let name = String(validating: letters, as: UTF8.self) else { throw ZipError.hostileName("") }
        if let wide = wideNumbers(extra) {
            // In this order, and only those that have no room in the header (4.5.3).
            var rest = wide[...]
            if bytes == 0xFFFF_FFFF { bytes = try next(&rest, name) }
            if stored == 0xFFFF_FFFF { stored = try next(&rest, name) }
            if header == 0xFFFF_FFFF { header = try next(&rest, name) }
        }
        try check(name: name)
        guard isPlain(attributes: attributes, host: host, isFolder: name.hasSuffix("/")) else {
            throw ZipError.notAFile(name)
        }
        guard method == 0, flags & 1 == 0, stored == bytes else { throw ZipError.notStored(name) }
        if name.hasSuffix("/") {
            guard bytes == 0 else { throw ZipError.damaged(name) }
            return nil
        }
        return File(name: name, bytes: bytes, checksum: UInt32(truncatingIfNeeded: checksum), header: header)
    }

    /// The 64-bit numbers in the extra fields of a file; nil without any.
    private static func wideNumbers(_ extra: [UInt8]) -> [Int?]? {
        var place = 0
        while let tag = number(extra, place, 2), let size = number(extra, place + 2, 2) {
            if tag == 1 { return stride(from: 0, to: size, by: 8).map { number(extra, place + 4 + $0, 8) } }
            place += 4 + size
        }
        return nil
    }

    private static func next(_ numbers: inout ArraySlice<Int?>, _ name: String) throws -> Int {
        guard let next = numbers.popFirst(), let number = next else { throw ZipError.damaged(name) }
        return number
    }

    /// Whether attributes are those of a file, or of a folder whose name says so. Those of MS-DOS are in the lowest byte, and
    /// Unix (3) and macOS (19) put a file's mode above (4.4.2, 4.4.15).
    private static func isPlain(attributes: Int, host: Int, isFolder: Bool) -> Bool {
        guard isFolder || attributes & 0x10 == 0 else { return false }
        guard host == 3 || host == 19 else { return true }
        return switch attributes >> 16 & 0o170_000 {
        case 0: true
        case 0o100_000: !isFolder
        case 0o040_000: isFolder
        default: false
        }
    }

    /// Checks that a name stays below the archive's own folder on every operating system.
    private static func check(name: String) throws {
        let path = name.hasSuffix("/") ? String(name.dropLast()) : name
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain =
            !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
            && !path.unicodeScalars.contains { $0.value < 0x20 || $0 == "\\" || $0 == ":" || $0.value == 0x7F }
        guard isPlain else { throw ZipError.hostileName(name) }
    }

    private static func contentStart(of file: File, _ source: Source) throws -> Int {
        guard file.header <= source.count - 30 else { throw ZipError.damaged(file.name) }
        let head = try source.read(at: file.header, count: 30)
        guard number(head, 0, 4) == 0x0403_4B50, let nameBytes = number(head, 26, 2),
            let extraBytes = number(head, 28, 2),
            number(head, 8, 2) == 0, nameBytes == file.name.utf8.count
        else { throw ZipError.damaged(file.name) }
        guard try source.read(at: file.header + 30, count: nameBytes) == Array(file.name.utf8) else {
            throw ZipError.damaged(file.name)
        }
        let start = file.header + 30 + nameBytes + extraBytes
        guard start <= source.count, file.bytes <= source.count - start else { throw ZipError.damaged(file.name) }
        return start
    }

    /// A little-endian number; nil if it is not there or is larger than `Int`.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        let value = bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }
}

/// A part of an archive that is read from beginning to end, in large pieces.
private struct ByteWindow<Source: ZipSource> {
    private let source: Source
    private var offset: Int
    private let end: Int
    private var buffer: ArraySlice<UInt8> = []

    init(_ source: Source, from start: Int, to end: Int) {
        (self.source, self.offset, self.end) = (source, start, end)
    }

    mutating func next(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            let part = try source.read(at: offset, count: min(end - offset, 1 << 16))
            guard !part.isEmpty else { throw ZipError.damaged("") }
            buffer += part
            offset += part.count
        }
        defer { buffer = buffer.dropFirst(count) }
        return Array(buffer.prefix(count))
    }
}
