import Wire

/// The CRC-32 of Wire, eight bytes at a time, for large data. Its table of 8 KB should not be in a page.
///
/// After M. E. Kounavis, F. L. Berry, *Novel Table Lookup-Based Algorithms for High-Performance CRC Generation*, IEEE
/// Transactions on Computers 57 (2008).
package enum SlicedChecksum {
    /// The contribution of a byte to a checksum, by the number of bytes that follow it: 256 entries each for none to
    /// seven.
    private static let table: [UInt32] = {
        var table: [UInt32] = []
        table.reserveCapacity(2_048)
        for byte in UInt8.min...(.max) { table.append(~crc32(byte, after: .max)) }
        for place in 256..<2_048 {
            let before = table[place - 256]
            table.append(table[Int(before & 0xFF)] ^ before >> 8)
        }
        return table
    }()

    /// The checksum of bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - checksum: the checksum of the bytes before; 0 for none.
    package static func of(_ bytes: UnsafeRawBufferPointer, after checksum: UInt32 = 0) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var crc = ~checksum
            var place = 0
            while place <= bytes.count - 8 {
                let word =
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ UInt64(crc)
                crc = 0
                for byte in 0..<8 {
                    crc ^= table[(7 - byte) << 8 | Int(word >> UInt64(8 * byte) & 0xFF)]
                }
                place += 8
            }
            while place < bytes.count {
                crc = table[Int((crc ^ UInt32(bytes[place])) & 0xFF)] ^ crc >> 8
                place += 1
            }
            return ~crc
        }
    }
}
