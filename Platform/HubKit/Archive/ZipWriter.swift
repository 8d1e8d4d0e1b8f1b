import Storage
import Wire

/// The file or buffer that an archive is written to.
public protocol ZipDestination {
    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) throws
    /// Overwrites bytes that were appended before, from `offset` on.
    mutating func replace(at offset: Int, with bytes: [UInt8]) throws
}

extension [UInt8]: ZipDestination {
    /// Appends bytes.
    public mutating func append(_ bytes: [UInt8]) { self += bytes }
    /// Overwrites bytes that were appended before, from `offset` on.
    public mutating func replace(at offset: Int, with bytes: [UInt8]) {
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}

/// A writer for ZIP archives without compression.
///
/// Of PKWARE's APPNOTE.TXT 6.3 it uses what every program reads: local file headers (4.3.7), a central directory
/// (4.3.12) and its end (4.3.16), and names in UTF-8 (4.4.4, bit 11). An archive may have more than 4 GiB and more than
/// 65,535 files (4.3.14, 4.3.15, 4.5.3); a single file may not.
///
/// A file is written as its bytes arrive; length and checksum are put into its header when it ends.
public struct ZipWriter<Destination: ZipDestination> {
    /// The size of one file in bytes, at most.
    public static var mostFileBytes: Int { 0xFFFF_FFFE }

    /// The date of every file: 1 January 1980, the first that the format has. The times of measurements are in the
    /// files.
    private static var date: UInt16 { 1 << 5 | 1 }
    private static var utf8Names: UInt16 { 1 << 11 }
    /// The version that a reader needs: 2.0, or 4.5 for 64-bit numbers.
    private static var version: UInt16 { 20 }
    private static var version64: UInt16 { 45 }

    /// The file or buffer with everything written so far.
    public private(set) var destination: Destination
    private var offset: Int
    private var directory: [UInt8] = []
    private var count = 0
    private var file: OpenFile?

    private struct OpenFile {
        var name: String
        /// The offset of the file's header.
        var offset: Int
        var bytes = 0
        var checksum: UInt32 = 0
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - destination: the file or buffer to write to.
    ///   - offset: the number of bytes that are there already and stay as they are.
    public init(_ destination: Destination, after offset: Int = 0) {
        (self.destination, self.offset) = (destination, offset)
    }

    /// Adds a whole file.
    ///
    /// - Parameters:
    ///   - name: its path, with `/` between folders.
    ///   - content: its bytes.
    public mutating func add(_ name: String, _ content: [UInt8]) throws {
        try begin(name)
        try write(content)
        try end()
    }

    /// Begins a file, which ``write(_:)`` continues and ``end()`` ends.
    ///
    /// - Parameter name: its path, with `/` between folders.
    public mutating func begin(_ name: String) throws {
        let file = OpenFile(name: name, offset: offset)
        self.file = file
        var header: [UInt8] = []
        header.append(littleEndian: 0x0403_4B50 as UInt32)
        header += Self.fields(of: file)
        header += Array(name.utf8)
        try append(header)
    }

    /// Appends bytes to the file that was begun.
    ///
    /// - Throws: `ZipError.tooLarge`, and the errors of the destination.
    public mutating func write(_ bytes: [UInt8]) throws {
        guard var file else { return }
        guard file.bytes + bytes.count <= Self.mostFileBytes else { throw ZipError.tooLarge(file.name) }
        file.bytes += bytes.count
        file.checksum = bytes.withUnsafeBytes { SlicedChecksum.of($0, after: file.checksum) }
        self.file = file
        try append(bytes)
    }

    /// Ends the file that was begun.
    public mutating func end() throws {
        guard let file else { return }
        self.file = nil
        // What the header says from the checksum on.
        try destination.replace(at: file.offset + 14, with: Array(Self.fields(of: file)[10..<22]))
        let is64 = file.offset >= Int(UInt32.max)
        directory.append(littleEndian: 0x0201_4B50 as UInt32)
        directory.append(littleEndian: is64 ? Self.version64 : Self.version)
        directory += Self.fields(of: file, extra: is64 ? 12 : 0)
        // No comment; on the first disk; no attributes.
        directory += [UInt8](repeating: 0, count: 10)
        directory.append(littleEndian: UInt32(clamping: file.offset))
        directory += Array(file.name.utf8)
        if is64 {
            directory.append(littleEndian: 1 as UInt16)
            directory.append(littleEndian: 8 as UInt16)
            directory.append(littleEndian: UInt64(file.offset))
        }
        count += 1
    }

    /// The fields that both headers of a file share, up to the length of the extra field.
    private static func fields(of file: OpenFile, extra: UInt16 = 0) -> [UInt8] {
        var fields: [UInt8] = []
        fields.append(littleEndian: extra > 0 ? version64 : version)
        fields.append(littleEndian: utf8Names)
        // Stored; at midnight.
        fields.append(littleEndian: 0 as UInt32)
        fields.append(littleEndian: date)
        fields.append(littleEndian: file.checksum)
        fields.append(littleEndian: UInt32(clamping: file.bytes))
        fields.append(littleEndian: UInt32(clamping: file.bytes))
        fields.append(littleEndian: UInt16(clamping: file.name.utf8.count))
        fields.append(littleEndian: extra)
        return fields
    }

    /// Writes the directory, which ends the archive.
    public mutating func finish() throws {
        let start = offset
        try append(directory)
        var end: [UInt8] = []
        if start >= Int(UInt32.max) || directory.count >= Int(UInt32.max) || count >= Int(UInt16.max) {
            let record = offset
            end.append(littleEndian: 0x0606_4B50 as UInt32)
            end.append(littleEndian: 44 as UInt64)
            end.append(littleEndian: Self.version64)
            end.append(littleEndian: Self.version64)
            end.append(littleEndian: 0 as UInt64)
            end.append(littleEndian: UInt64(count))
            end.append(littleEndian: UInt64(count))
            end.append(littleEndian: UInt64(directory.count))
            end.append(littleEndian: UInt64(start))
            end.append(littleEndian: 0x0706_4B50 as UInt32)
            end.append(littleEndian: 0 as UInt32)
            end.append(littleEndian: UInt64(record))
            end.append(littleEndian: 1 as UInt32)
        }
        end.append(littleEndian: 0x0605_4B50 as UInt32)
        end.append(littleEndian: 0 as UInt32)
        end.append(littleEndian: UInt16(clamping: count))
        end.append(littleEndian: UInt16(clamping: count))
        end.append(littleEndian: UInt32(clamping: directory.count))
        end.append(littleEndian: UInt32(clamping: start))
        end.append(littleEndian: 0 as UInt16)
        try append(end)
    }

    private mutating func append(_ bytes: [UInt8]) throws {
        try destination.append(bytes)
        offset += bytes.count
    }
}
