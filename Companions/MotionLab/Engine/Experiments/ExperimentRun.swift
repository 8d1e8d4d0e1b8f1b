import Signals
import Wire

/// The run of an experiment: the samples of its sensors, the values of its formulas, and the results at the end.
public struct ExperimentRun: Sendable {
    /// The most moments that are stored; later ones are ignored.
    public static let mostRows = 200_000

    /// The experiment.
    public let experiment: Experiment
    /// The values of the parameters, as the person entered them.
    public var parameters: [Double] { didSet { columns.removeAll() } }
    /// The time of each moment, microseconds.
    public private(set) var times: [Int64] = []

    /// The index of the first channel of each sensor among all axes.
    private var places: [Int] = []
    private var axisCount = 0
    /// The latest values of all axes; NaN where none came yet.
    private var latest: [Double]
    /// All axes of each moment, one after the other.
    private var axes: [Double] = []
    /// The columns of each plot as far as they are known, and the most of them that were asked for.
    private var columns: [PlotColumns] = []
    private var mostColumns = 0

    /// A run without any samples.
    public init(_ experiment: Experiment) {
        self.experiment = experiment
        parameters = experiment.parameters.map { $0.value }
        for sensor in experiment.sensors {
            places.append(axisCount)
            axisCount += sensor.kind.axisCount
        }
        latest = [Double](repeating: .nan, count: axisCount)
    }

    /// The time since the first sample, seconds.
    public var seconds: Double {
        guard let first = times.first, let last = times.last else { return 0 }
        return Double(last - first) / 1_000_000
    }

    /// The time that is left, seconds; 0 at the end.
    public var secondsLeft: Double { max(0, Double(experiment.seconds) - seconds) }

    /// Adds a sample in the lab's units; a sample of a sensor that is not the experiment's is ignored.
    public mutating func add(_ sample: [Double], of kind: SensorKind, at time: Int64) {
        guard let sensor = experiment.sensors.firstIndex(where: { $0.kind == kind }), sample.count == kind.axisCount,
            times.count < Self.mostRows, time >= times.last ?? .min
        else { return }
        for (axis, value) in sample.enumerated() { latest[places[sensor] + axis] = value }
        if times.last == time {
            // Sensors that measure at the same time are one moment.
            for axis in 0..<axisCount { axes[axes.count - axisCount + axis] = latest[axis] }
        } else {
            times.append(time)
            axes.append(contentsOf: latest)
        }
    }

    /// All channels of a moment.
    public func values(_ row: Int) -> [Double?] {
        var known: [Double?] = []
        for axis in 0..<axisCount {
            let value = axes[row * axisCount + axis]
            known.append(value.isNaN ? nil : value)
        }
        return experiment.values(
            seconds: Double(times[row] - times[0]) / 1_000_000, axes: known, parameters: parameters)
    }

    /// The points of a plot: the value across, and of each line the one up; NaN where there is none. They are at
    /// most a given number. Over time they show all that was measured: see ``PlotColumns``. Over another channel they are
    /// moments, one in ``every(_:most:)``.
    public mutating func points(of plot: Int, most: Int) -> [Float] {
        guard experiment.plots.indices.contains(plot), most > 0, !times.isEmpty else { return [] }
        guard experiment.plots[plot].isOverTime else {
            var points: [Float] = []
            var row = 0
            while row < times.count {
                addMoment(row, of: plot, to: &points)
                row += every(plot, most: most)
            }
            return points
        }
        if columns.isEmpty || mostColumns != most / 2 {
            mostColumns = most / 2
            columns.removeAll()
            for plot in experiment.plots { columns.append(PlotColumns(lines: plot.y.count, most: mostColumns)) }
        }
        // The last moment may still get values of another sensor.
        while columns[plot].momentCount < times.count - 1 {
            columns[plot].append(moment(columns[plot].momentCount, of: plot))
        }
        var all = columns[plot]
        all.append(moment(times.count - 1, of: plot))
        return all.points
    }

    /// One of how many moments a plot shows, with so many points at most; 1 over time, where it shows all.
    public func every(_ plot: Int, most: Int) -> Int {
        guard experiment.plots.indices.contains(plot), most > 0, !experiment.plots[plot].isOverTime else { return 1 }
        return max((times.count + most - 1) / most, 1)
    }

    private func moment(_ row: Int, of plot: Int) -> [Float] {
        var moment: [Float] = []
        addMoment(row, of: plot, to: &moment)
        return moment
    }

    private func addMoment(_ row: Int, of plot: Int, to points: inout [Float]) {
        let values = values(row)
        points.append(Float(values[experiment.plots[plot].x] ?? .nan))
        for line in experiment.plots[plot].y { points.append(Float(values[line] ?? .nan)) }
    }

    /// A result of the experiment.
    public struct Result: Sendable, Equatable {
        /// The quantity that a result is of.
        public enum Quantity: UInt8, Sendable {
            /// The period of an oscillation, seconds.
            case period = 1
            /// The acceleration of gravity, m/s².
            case gravity = 2
            /// The duration of a fall, seconds.
            case fallTime = 3
            /// The height of a fall, m.
            case fallHeight = 4
            /// The height of a climb, m.
            case climb = 5
            /// The radius of a spin, m.
            case radius = 6
            /// The sound level, like those below in dB relative to full scale.
            case soundUsual = 7
            case soundLoud = 8
            case soundBackground = 9
            /// The frequency of an oscillation, Hz.
            case frequency = 10
        }

        /// The quantity.
        public var quantity: Quantity
        /// The value, in the quantity's unit.
        public var value: Double
        /// The uncertainty; NaN where it is not known.
        public var uncertainty: Double
    }

    /// The results of the experiment's analysis; empty where the samples do not give any.
    public var results: [Result] {
        switch experiment.analysis {
        case .none: []
        case .pendulum: pendulum
        case .freeFall: fall
        case .lift: lift
        case .spin: spin
        case .sound: sound
        case .spectrum: frequency
        }
    }

    /// The series of one axis of a sensor where it is known, with its times.
    private func series(_ kind: SensorKind, _ axis: Int) -> (times: [Int64], values: [Double]) {
        guard let sensor = experiment.sensors.firstIndex(where: { $0.kind == kind }) else { return ([], []) }
        var (known, values) = ([Int64](), [Double]())
        for row in times.indices {
            let value = axes[row * axisCount + places[sensor] + axis]
            guard !value.isNaN else { continue }
            known.append(times[row])
            values.append(value)
        }
        return (known, values)
    }

    private func vectors(_ kind: SensorKind) -> (times: [Int64], vectors: [Vector3]) {
        let (x, y, z) = (series(kind, 0), series(kind, 1), series(kind, 2))
        var vectors: [Vector3] = []
        for place in x.values.indices { vectors.append(Vector3(x.values[place], y.values[place], z.values[place])) }
        return (x.times, vectors)
    }

    /// The axis that swings most.
    private var strongest: (times: [Int64], values: [Double]) {
        let kind = experiment.sensors.first?.kind ?? .gyroscope
        var best = (times: [Int64](), values: [Double]())
        var widest = 0.0
        for axis in 0..<kind.axisCount {
            let one = series(kind, axis)
            guard let spread = quartiles(one.values), spread.upper - spread.lower > widest else { continue }
            (best, widest) = (one, spread.upper - spread.lower)
        }
        return best
    }

    private var pendulum: [Result] {
        let swing = strongest
        guard let period = OscillationPeriod(times: swing.times, values: swing.values) else { return [] }
        var all = [Result(quantity: .period, value: period.seconds, uncertainty: period.uncertainty)]
        // A rate of turning of so much at the lowest point is a swing of so wide: the rate divided by 2π/T.
        let amplitude = period.amplitude * period.seconds / (2 * .pi)
        if let length = parameters.first,
            let gravity = PendulumGravity(period: period, length: length, amplitude: amplitude)
        {
            all.append(
                Result(
                    quantity: .gravity, value: gravity.metresPerSecondSquared, uncertainty: gravity.uncertainty))
        }
        return all
    }

    private var fall: [Result] {
        let felt = vectors(.accelerometer)
        var timer = FreeFallTimer()
        var longest: FreeFall?
        for (place, time) in felt.times.enumerated() {
            if let fall = timer.add(felt.vectors[place], at: time), fall.seconds > longest?.seconds ?? 0 {
                longest = fall
            }
        }
        guard let longest else { return [] }
        return [
            Result(quantity: .fallTime, value: longest.seconds, uncertainty: longest.uncertainty),
            Result(quantity: .fallHeight, value: longest.metres, uncertainty: longest.metresUncertainty),
        ]
    }

    /// The climb between the lowest and the highest second, each by the median of its readings: a gust that one reading has does
    /// not count, and a short stay at the top does.
    private var lift: [Result] {
        let air = series(.barometer, 0)
        var (least, most) = (Double.infinity, -Double.infinity)
        var (start, end) = (0, 0)
        while start < air.values.count {
            while end < air.values.count, air.times[end].minusClamped(air.times[start]) <= 1_000_000 { end += 1 }
            guard let middle = median(Array(air.values[start..<end])) else { break }
            (least, most) = (min(least, middle), max(most, middle))
            let first = air.times[start]
            while start < end, air.times[start].minusClamped(first) < 500_000 { start += 1 }
        }
        guard
            let metres = Altitude.metres(
                pressure: least, reference: most, celsius: parameters.first ?? Altitude.usualCelsius)
        else { return [] }
        return [Result(quantity: .climb, value: metres, uncertainty: .nan)]
    }

    private var spin: [Result] {
        let turning = vectors(.gyroscope)
        let felt = vectors(.linearAcceleration)
        let count = min(turning.vectors.count, felt.vectors.count)
        guard count > 0,
            let spin = CentripetalSpin(
                rates: turning.vectors.suffix(count).map { $0.magnitude },
                accelerations: felt.vectors.suffix(count).map { $0.magnitude })
        else { return [] }
        return [Result(quantity: .radius, value: spin.radius, uncertainty: spin.uncertainty)]
    }

    private var sound: [Result] {
        guard let room = RoomSound(series(.sound, 0).values) else { return [] }
        return [
            Result(quantity: .soundUsual, value: room.usual, uncertainty: .nan),
            Result(quantity: .soundLoud, value: room.loud, uncertainty: .nan),
            Result(quantity: .soundBackground, value: room.background, uncertainty: .nan),
        ]
    }

    private var frequency: [Result] {
        let swing = strongest
        guard let rate = SamplingRate(swing.times),
            let even = ResampledSeries(
                times: swing.times, samples: swing.values,
                interval: max(Int64((1_000_000 / rate.hertz).rounded()), 1),
                gap: Int64(4_000_000 / rate.hertz))
        else { return [] }
        let run = even.longestRun
        var size = 16
        while size * 2 <= run.count, size * 2 <= FastFourierTransform.mostCount { size *= 2 }
        guard let transform = FastFourierTransform(count: size),
            let peak = AmplitudeSpectrum(run, hertz: even.hertz, transform: transform)?.dominant()
        else { return [] }
        return [
            Result(quantity: .frequency, value: peak.hertz, uncertainty: even.hertz / Double(size) / 2)
        ]
    }
}
