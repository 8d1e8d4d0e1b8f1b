/// The columns of a plot over time: of so many moments each, the lowest and the highest value of each line, so that nothing
/// that was measured falls between two points that are drawn.
///
/// Moments are appended once, as they come. When there are as many columns as may be drawn, neighbours become one.
public struct PlotColumns: Sendable {
    /// The number of moments in a column, but the last.
    public private(set) var width = 1
    /// The number of moments.
    public private(set) var momentCount = 0

    private let lines: Int
    private let most: Int
    /// The number of columns, and of moments in the last one.
    private var count = 0
    private var inLast = 0
    /// The numbers of each column: the value across at its beginning, and then the lowest and the highest of each line; NaN where there
    /// is none.
    private var numbers: [Float] = []

    /// The numbers of a column.
    private var size: Int { 1 + 2 * lines }

    /// Columns without any moments.
    ///
    /// - Parameters:
    ///   - lines: the number of lines.
    ///   - most: the most columns; two at least, and an even number of them is used.
    public init(lines: Int, most: Int) {
        self.lines = lines
        self.most = most < 2 ? 2 : most / 2 * 2
    }

    /// Appends the next moment.
    ///
    /// - Parameter values: the value across, and that of each line; NaN where there is none.
    public mutating func append(_ values: [Float]) {
        guard values.count == 1 + lines else { return }
        momentCount += 1
        if count > 0, inLast < width {
            inLast += 1
            let column = (count - 1) * size
            if numbers[column].isNaN { numbers[column] = values[0] }
            for line in 0..<lines { widen(column + 1 + 2 * line, values[1 + line], values[1 + line]) }
            return
        }
        if count == most { halve() }
        count += 1
        inLast = 1
        numbers.append(values[0])
        for line in 0..<lines {
            numbers.append(values[1 + line])
            numbers.append(values[1 + line])
        }
    }

    /// The points to draw: the value across and then each line's, moment by moment, or column by column first the lowest and
    /// then the highest values.
    public var points: [Float] {
        var points: [Float] = []
        for column in 0..<count {
            for side in 0..<(width > 1 ? 2 : 1) {
                points.append(numbers[column * size])
                for line in 0..<lines { points.append(numbers[column * size + 1 + 2 * line + side]) }
            }
        }
        return points
    }

    private mutating func halve() {
        count /= 2
        for column in 0..<count {
            let (place, first) = (column * size, column * 2 * size)
            for number in 0..<size { numbers[place + number] = numbers[first + number] }
            if numbers[place].isNaN { numbers[place] = numbers[first + size] }
            for line in 0..<lines {
                let second = first + size + 1 + 2 * line
                widen(place + 1 + 2 * line, numbers[second], numbers[second + 1])
            }
        }
        while numbers.count > count * size { numbers.removeLast() }
        width *= 2
    }

    private mutating func widen(_ place: Int, _ least: Float, _ greatest: Float) {
        if !(least.isNaN || numbers[place] <= least) { numbers[place] = least }
        if !(greatest.isNaN || numbers[place + 1] >= greatest) { numbers[place + 1] = greatest }
    }
}
