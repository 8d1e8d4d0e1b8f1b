/// Quartiles with their count, in tenths of the unit.
public struct Distribution: Sendable, Equatable {
    public var count: Int
    public var lowerQuartileTenths: Int32
    public var medianTenths: Int32
    public var upperQuartileTenths: Int32

    /// Quartiles that were computed before.
    public init(count: Int, lowerQuartileTenths: Int32, medianTenths: Int32, upperQuartileTenths: Int32) {
        self.count = count
        self.lowerQuartileTenths = lowerQuartileTenths
        self.medianTenths = medianTenths
        self.upperQuartileTenths = upperQuartileTenths
    }

    /// Of values in whole units, such as milliseconds. Nil when there are none.
    public init?(milliseconds values: [Int32]) { self.init(values, tenths: 10, of: 1) }

    /// Of values in hundredths of the unit, such as force. Nil when there are none.
    public init?(hundredths values: [Int32]) { self.init(values, tenths: 1, of: 10) }

    /// Of values in thousandths of the unit, such as microseconds for milliseconds. Nil when there are none.
    public init?(microseconds values: [Int32]) { self.init(values, tenths: 1, of: 100) }

    /// Definition 7 of Hyndman and Fan (“Sample Quantiles in Statistical Packages”, The American Statistician 50, 1996),
    /// the default of R and NumPy, in integers; rounded to tenths with halves away from nought.
    private init?(_ values: [Int32], tenths: Int64, of divisor: Int64) {
        guard !values.isEmpty else { return nil }
        let sorted = heapSorted(values)
        // `place` is in quarters of the way from a value to the next.
        func quartile(_ number: Int) -> Int32 {
            let place = number * (sorted.count - 1)
            let lower = Int64(sorted[place / 4])
            let upper = Int64(sorted[min(place / 4 + 1, sorted.count - 1)])
            let quarters = (lower * 4 + (upper - lower) * Int64(place % 4)) * tenths
            let half = 2 * divisor
            return Int32(clamping: (quarters + (quarters < 0 ? -half : half)) / (4 * divisor))
        }
        self.init(
            count: sorted.count, lowerQuartileTenths: quartile(1), medianTenths: quartile(2),
            upperQuartileTenths: quartile(3))
    }
}

/// In ascending order. By a heap (J. W. J. Williams, “Algorithm 232: Heapsort”, 1964), for the standard library's sort
/// takes 5 KB of a page's module.
func heapSorted(_ values: [Int32]) -> [Int32] {
    var heap = values
    for start in stride(from: heap.count / 2, to: 0, by: -1) { sift(&heap, from: start - 1, to: heap.count) }
    for end in stride(from: heap.count - 1, to: 0, by: -1) {
        heap.swapAt(0, end)
        sift(&heap, from: 0, to: end)
    }
    return heap
}

private func sift(_ heap: inout [Int32], from start: Int, to end: Int) {
    var parent = start
    while 2 * parent + 1 < end {
        var child = 2 * parent + 1
        if child + 1 < end, heap[child + 1] > heap[child] { child += 1 }
        guard heap[child] > heap[parent] else { return }
        heap.swapAt(parent, child)
        parent = child
    }
}
