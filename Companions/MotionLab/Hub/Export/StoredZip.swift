import Wire

/// An archive of files as they are, not compressed: PKWARE's APPNOTE.TXT 6.3, of which it is what every program reads: local
/// file headers (4.3.7), a central directory (4.3.12) and its end (4.3.16), and names in UTF-8 (4.4.4, bit 11). Without the
/// extension for more than 4 GB, which no recording has.
struct StoredZip {
    /// 1 January 1980, the first day there is: the files are of when they were recorded, which the description says.
    private static let date: UInt16 = 1 << 5 | 1
    private static let utf8Names: UInt16 = 1 << 11
    /// That a reader needs: 2.0.
    private static let version: UInt16 = 20

    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    /// Adds a file.
    ///
    /// - Parameter name: with its folders, parted by `/`.
    mutating func add(_ name: String, _ content: [UInt8]) {
        let offset = UInt32(clamping: bytes.count)
        bytes.append(littleEndian: 0x0403_4B50 as UInt32)
        bytes += fields(of: name, content)
        bytes += Array(name.utf8)
        bytes += content
        directory.append(littleEndian: 0x0201_4B50 as UInt32)
        directory.append(littleEndian: Self.version)
        directory += fields(of: name, content)
        // No comment; on the first disk; no attributes.
        directory += [UInt8](repeating: 0, count: 10)
        directory.append(littleEndian: offset)
        directory += Array(name.utf8)
        count += 1
    }

    /// What both headers have, up to the length of the extra field.
    private func fields(of name: String, _ content: [UInt8]) -> [UInt8] {
        var fields: [UInt8] = []
        fields.append(littleEndian: Self.version)
        fields.append(littleEndian: Self.utf8Names)
        // Stored; at midnight.
        fields.append(littleEndian: 0 as UInt32)
        fields.append(littleEndian: Self.date)
        fields.append(littleEndian: crc32(content[...]))
        fields.append(littleEndian: UInt32(clamping: content.count))
        fields.append(littleEndian: UInt32(clamping: content.count))
        fields.append(littleEndian: UInt16(clamping: name.utf8.count))
        fields.append(littleEndian: 0 as UInt16)
        return fields
    }

    /// All of it.
    func closed() -> [UInt8] {
        var end: [UInt8] = []
        end.append(littleEndian: 0x0605_4B50 as UInt32)
        end.append(littleEndian: 0 as UInt32)
        end.append(littleEndian: count)
        end.append(littleEndian: count)
        end.append(littleEndian: UInt32(clamping: directory.count))
        end.append(littleEndian: UInt32(clamping: bytes.count))
        end.append(littleEndian: 0 as UInt16)
        return bytes + directory + end
    }
}
