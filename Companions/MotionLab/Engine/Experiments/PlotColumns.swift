/// The columns of a plot over time: of so many moments each, the lowest and the highest value of each line, so that nothing
/// that was measured falls between two points that are drawn.
///
/// Moments are taken once, as they come. When there are as many columns as may be drawn, neighbours become one.
public struct PlotColumns: Sendable {
    /// The number of moments in a column, but the last.
    public private(set) var width = 1
    /// The number of moments that were taken.
    public private(set) var taken = 0

    private let lines: Int
    private let most: Int
    /// The number of moments in the last column.
    private var inLast = 0
    /// The value across at the beginning of each column, NaN where there is none.
    private var across: [Float] = []
    /// The lowest and the highest of each line, column by column; NaN where there is none.
    private var low: [Float] = []
    private var high: [Float] = []

    /// Columns without any moments.
    ///
    /// - Parameters:
    ///   - lines: the number of lines.
    ///   - most: the most columns; two at least, and an even number of them is used.
    public init(lines: Int, most: Int) {
        self.lines = max(lines, 0)
        self.most = max(most / 2 * 2, 2)
    }

    /// Takes the next moment.
    ///
    /// - Parameters:
    ///   - value: the value across; NaN where there is none.
    ///   - values: the value of each line, NaN where there is none.
    public mutating func take(_ value: Float, _ values: [Float]) {
        guard values.count == lines else { return }
        taken += 1
        if inLast == 0 || inLast == width {
            if across.count == most { halve() }
            across.append(value)
            low += values
            high += values
            inLast = 1
            return
        }
        inLast += 1
        let column = across.count - 1
        if across[column].isNaN { across[column] = value }
        for line in 0..<lines { widen(column * lines + line, values[line], values[line]) }
    }

    /// The points to draw: the value across and then each line's, moment by moment, or column by column first the lowest and
    /// then the highest values.
    public var points: [Float] {
        var points: [Float] = []
        for column in across.indices {
            let range = column * lines..<(column + 1) * lines
            points.append(across[column])
            points += low[range]
            guard width > 1 else { continue }
            points.append(across[column])
            points += high[range]
        }
        return points
    }

    private mutating func halve() {
        let count = across.count / 2
        for column in 0..<count {
            let (first, second) = (column * 2, column * 2 + 1)
            across[column] = across[first].isNaN ? across[second] : across[first]
            for line in 0..<lines {
                (low[column * lines + line], high[column * lines + line]) = (
                    low[first * lines + line], high[first * lines + line]
                )
                widen(column * lines + line, low[second * lines + line], high[second * lines + line])
            }
        }
        across.removeLast(across.count - count)
        low.removeLast(low.count - count * lines)
        high.removeLast(high.count - count * lines)
        width *= 2
    }

    private mutating func widen(_ place: Int, _ least: Float, _ greatest: Float) {
        if !least.isNaN, low[place].isNaN || least < low[place] { low[place] = least }
        if !greatest.isNaN, high[place].isNaN || greatest > high[place] { high[place] = greatest }
    }
}
