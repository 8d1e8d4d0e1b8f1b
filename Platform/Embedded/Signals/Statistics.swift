/// The value below which the fraction `q` (0...1) of `values` lies, between neighbours in a straight line
/// (Hyndman and Fan's definition 7, the default of R and NumPy). Nil when there are none.
public func quantile(_ values: [Double], _ q: Double) -> Double? {
    quantile(sorted: values.sorted(), q)
}

/// The same of values that are sorted already.
public func quantile(sorted values: [Double], _ q: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    let place = min(max(q, 0), 1) * Double(values.count - 1)
    let index = min(Int(place), values.count - 1)
    guard index + 1 < values.count else { return values[index] }
    return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
}

/// The middle value, or the mean of the two middle ones. Nil when there are none.
public func median(_ values: [Double]) -> Double? {
    quantile(values, 0.5)
}

/// The quartiles: a quarter, a half and three quarters of the values lie below them. Nil when there are none.
public func quartiles(_ values: [Double]) -> (lower: Double, middle: Double, upper: Double)? {
    let sorted = values.sorted()
    guard let lower = quantile(sorted: sorted, 0.25), let middle = quantile(sorted: sorted, 0.5),
        let upper = quantile(sorted: sorted, 0.75)
    else { return nil }
    return (lower, middle, upper)
}
