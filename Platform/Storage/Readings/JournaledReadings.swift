import Foundation
import GRDB

/// The encoding of readings in the journal: 25 bytes each, little-endian, for the series, the time, the value's bits,
/// and a one if the hub chose the time.
enum JournaledReadings {
    private static let width = 25

    static func data(of readings: [Reading]) -> Data {
        var data = Data(count: readings.count * width)
        data.withUnsafeMutableBytes { bytes in
            for (index, reading) in readings.enumerated() {
                let start = index * width
                bytes.storeBytes(of: reading.series.littleEndian, toByteOffset: start, as: Int64.self)
                bytes.storeBytes(of: reading.at.littleEndian, toByteOffset: start + 8, as: Int64.self)
                bytes.storeBytes(
                    of: reading.value.bitPattern.littleEndian, toByteOffset: start + 16, as: UInt64.self)
                bytes[start + 24] = reading.isTimeAssigned ? 1 : 0
            }
        }
        return data
    }

    /// Decodes readings.
    ///
    /// - Throws: `DatabaseError` if the data is not a whole number of readings.
    static func readings(of data: Data) throws -> [Reading] {
        guard data.count % width == 0 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of the readings' journal is cut off")
        }
        return data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: width).map { start in
                func field(_ offset: Int) -> UInt64 {
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))
                }
                return Reading(
                    series: Int64(bitPattern: field(0)), at: Int64(bitPattern: field(8)),
                    value: Double(bitPattern: field(16)), isTimeAssigned: bytes[start + 24] == 1)
            }
        }
    }

    /// The readings ordered by series, those of each series in their original order.
    static func ordered(_ readings: [Reading]) -> [Reading] {
        // Counting is twice as fast as sorting here; what a series has stays together, and the order of the series is
        // that of their pages.
        var counts: [Int64: Int] = [:]
        for reading in readings { counts[reading.series, default: 0] += 1 }
        var next = 0
        for series in counts.keys.sorted() {
            let count = counts[series] ?? 0
            counts[series] = next
            next += count
        }
        var ordered = readings
        for reading in readings {
            let place = counts[reading.series] ?? 0
            counts[reading.series] = place + 1
            ordered[place] = reading
        }
        return ordered
    }
}
