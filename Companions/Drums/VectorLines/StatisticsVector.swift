import DrumsEngine
import Signals
import VectorLines
import Wire

/// The commands of a vector file about statistics: see ``EngineVector``. It remembers one timing window.
struct StatisticsVector {
    private var window = AdaptiveWindow()

    /// The most numbers of a list.
    private static let mostNumbers = 5_000

    /// Answers a command.
    ///
    /// - Returns: false for a command that is not about statistics.
    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "quartiles") { return quartiles(line, &text) }
        if matches(command, "mean") { return mean(line, &text) }
        if matches(command, "wilson") { return wilson(line, &text) }
        if matches(command, "difference") { return difference(line, &text) }
        if matches(command, "trend") { return trend(line, &text) }
        if matches(command, "calibrate") { return calibrate(line, &text) }
        if matches(command, "tap") { return tap(line, &text) }
        if matches(command, "window") {
            window = AdaptiveWindow()
            return tell(&text)
        }
        if matches(command, "learn") { return learn(line, &text) }
        return false
    }

    private func quartiles(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let values = Self.numbers(line.text(1)) else { return text.refuse() }
        guard let spread = Distribution(milliseconds: values) else {
            text.write("none")
            return true
        }
        Self.write(spread, &text)
        return true
    }

    private func mean(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let values = Self.numbers(line.text(1)) else { return text.refuse() }
        guard let spread = Distribution(milliseconds: values) else {
            text.write("none")
            return true
        }
        text.write(fixedPoint: Int64(spread.meanTenths), places: 1)
        return true
    }

    private func wilson(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let successes = line.integer(1, as: Int.self), let count = line.integer(2, as: Int.self)
        else { return text.refuse() }
        guard let share = WilsonInterval(successes, of: count) else {
            text.write("none")
            return true
        }
        text.write(fixedPoint: Int64(share.share), places: 1)
        text.write("% from ")
        text.write(fixedPoint: Int64(share.lower), places: 1)
        text.write(" to ")
        text.write(fixedPoint: Int64(share.upper), places: 1)
        return true
    }

    private func difference(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let first = Self.numbers(line.text(1)), let second = Self.numbers(line.text(2)) else {
            return text.refuse()
        }
        guard let difference = MedianDifference(from: first, to: second) else {
            text.write("too few")
            return true
        }
        text.write(fixedPoint: Int64(difference.tenths), places: 1)
        text.write(" give or take ")
        text.write(fixedPoint: Int64(difference.marginTenths), places: 1)
        if difference.holdsNought { text.write(", nought too") }
        return true
    }

    /// Reads the days, then the value of each, then a day at which line and band are written.
    private func trend(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let days = Self.numbers(line.text(1)), let values = Self.numbers(line.text(2)),
            days.count == values.count, let at = line.integer(3, as: Int32.self)
        else { return text.refuse() }
        guard let trend = TheilSenLine(zip(days, values).map { .init(x: $0, y: $1) }) else {
            text.write("too few")
            return true
        }
        text.write("slope ")
        text.write(fixedPoint: trend.slope, places: 6)
        text.write(" from ")
        text.write(fixedPoint: trend.lowerSlope, places: 6)
        text.write(" to ")
        text.write(fixedPoint: trend.upperSlope, places: 6)
        if trend.holdsNought { text.write(", nought too") }
        text.write("; at ", Int64(at))
        text.write(": ", Int64(trend.value(at: at)))
        let band = trend.band(at: at)
        text.write(" from ", Int64(band.lower))
        text.write(" to ", Int64(band.upper))
        return true
    }

    private func calibrate(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let offsets = Self.numbers(line.text(1)) else { return text.refuse() }
        do throws(CalibrationError) {
            Self.write(try TapCalibration.latency(of: offsets), &text)
        } catch {
            switch error {
            case .tooFewTaps(let count):
                text.write("too few taps: ", Int64(count))
            case .tooScattered(let tenths):
                text.write("too scattered: ")
                text.write(fixedPoint: Int64(tenths), places: 1)
            }
        }
        return true
    }

    private func tap(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let tap = line.integer(1), let period = line.integer(2) else { return text.refuse() }
        text.write(fixedPoint: Int64(TapCalibration.offsetTenths(ofTap: tap, period: period)), places: 1)
        return true
    }

    private mutating func learn(_ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard let errors = Self.numbers(line.text(1)) else { return text.refuse() }
        window.learn(errors)
        return tell(&text)
    }

    private func tell(_ text: inout TextWriter) -> Bool {
        text.write("centre ", Int64(window.timing.centreMilliseconds))
        text.write(" half ", Int64(window.timing.halfMilliseconds))
        text.write(" n ", Int64(window.count))
        return true
    }

    private static func write(_ spread: Distribution, _ text: inout TextWriter) {
        text.write("n ", Int64(spread.count))
        text.write(": ")
        text.write(fixedPoint: Int64(spread.lowerQuartileTenths), places: 1)
        text.write(" ")
        text.write(fixedPoint: Int64(spread.medianTenths), places: 1)
        text.write(" ")
        text.write(fixedPoint: Int64(spread.upperQuartileTenths), places: 1)
        if !spread.hasQuartiles { text.write(", too few for quartiles") }
    }

    /// Reads whole numbers of 32 bits, separated by commas; an empty word has none. Nil for anything else.
    private static func numbers(_ word: [UInt8]) -> [Int32]? {
        guard !word.isEmpty else { return [] }
        var cursor = ByteCursor(word)
        var numbers: [Int32] = []
        while let piece = cursor.piece(before: UInt8(ascii: ",")) {
            guard numbers.count < mostNumbers,
                let number = Wire.integer(Array(piece).span).flatMap({ Int32(exactly: $0) })
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
