/// The CRC-32 of IEEE 802.3 (reflected, polynomial 0xEDB88320), as in gzip (RFC 1952, section 8). By half bytes: a
/// table of 16 is small enough for a page.
///
/// - Parameter checksum: of what comes before these bytes, so that the checksum of something that grows is counted on
///   from what was there; 0 for nothing.
public func crc32(_ bytes: ArraySlice<UInt8>, after checksum: UInt32 = 0) -> UInt32 {
    var crc = checksum
    for byte in bytes { crc = crc32(byte, after: crc) }
    return crc
}

/// The same of one more byte, for what comes byte by byte.
public func crc32(_ byte: UInt8, after checksum: UInt32) -> UInt32 {
    var crc = ~checksum ^ UInt32(byte)
    crc = table[Int(crc & 0xF)] ^ (crc >> 4)
    crc = table[Int(crc & 0xF)] ^ (crc >> 4)
    return ~crc
}

private let table: [UInt32] = [
    0x0000_0000, 0x1DB7_1064, 0x3B6E_20C8, 0x26D9_30AC, 0x76DC_4190, 0x6B6B_51F4, 0x4DB2_6158, 0x5005_713C,
    0xEDB8_8320, 0xF00F_9344, 0xD6D6_A3E8, 0xCB61_B38C, 0x9B64_C2B0, 0x86D3_D2D4, 0xA00A_E278, 0xBDBD_F21C,
]
