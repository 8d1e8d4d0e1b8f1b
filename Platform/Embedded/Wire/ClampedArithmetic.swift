// Times come from clocks that anybody can set and from blobs that anybody can write: no sum of them may trap.
extension Int64 {
    /// The sum, or the nearest number there is.
    public func plusClamped(_ other: Int64) -> Int64 {
        let (sum, overflowed) = addingReportingOverflow(other)
        return overflowed ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number there is.
    public func minusClamped(_ other: Int64) -> Int64 {
        let (difference, overflowed) = subtractingReportingOverflow(other)
        return overflowed ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest number there is.
    public func timesClamped(_ other: Int64) -> Int64 {
        let (product, overflowed) = multipliedReportingOverflow(by: other)
        return overflowed ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
