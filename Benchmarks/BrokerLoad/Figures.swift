import Foundation

/// Nanoseconds of a clock that nobody sets.
func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Times that were measured, in nanoseconds.
struct Latencies {
    private var all: [UInt64] = []

    var count: Int { all.count }

    mutating func append(_ nanoseconds: UInt64) { all.append(nanoseconds) }

    /// The time that `part` of all did not exceed, in milliseconds.
    func milliseconds(_ part: Double) -> Double {
        let ordered = all.sorted()
        guard let last = ordered.indices.last else { return .nan }
        return Double(ordered[min(last, Int(part * Double(ordered.count)))]) / 1e6
    }
}

/// Prints one line of JSON.
func report(_ figures: KeyValuePairs<String, Double>) {
    let pairs = figures.map { "\"\($0)\": \($1.isFinite ? String(format: "%.4f", $1) : "null")" }
    // Not by `print`, which would wait for more where it does not write to a terminal.
    FileHandle.standardOutput.write(Data("{\(pairs.joined(separator: ", "))}\n".utf8))
}

/// Waits until somebody closes standard input, or writes a line.
func waitForReader() { _ = readLine() }
