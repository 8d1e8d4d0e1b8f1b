extension [Int64] {
    /// The place of the first number that is not below another, in rising ones.
    func partitioningIndex(atOrAfter number: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
