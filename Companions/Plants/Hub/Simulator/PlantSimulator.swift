import HubKit
import PlantsDevice
import PlantsEngine

/// A value that the simulated sensor sends.
public struct SimulatedReading: Equatable, Sendable {
    /// The name of the series.
    public var quantity: String
    /// UTC milliseconds.
    public var at: Int64
    /// The value in the quantity's unit.
    public var value: Double
}

/// A plant, its soil, its household, its weather and its sensor, all by one seed.
///
/// The sensor is the real driver over ``SeesawModel``: what the driver cannot read is not sent. A copy goes on exactly
/// as the original would, so a copy of which `isCaredFor` and `troubles` are switched off tells what would have been.
public struct PlantSimulator: Sendable {
    /// The real course of events, for tests.
    public struct Truth: Equatable, Sendable {
        /// The times at which the soil got wet, UTC milliseconds: by can, or by rain that brought five percent or more.
        public var wettings: [Int64] = []
        /// The times at which it was repotted, UTC milliseconds.
        public var repottings: [Int64] = []
    }

    /// The pace of the sensor, milliseconds: ten minutes and a few seconds, as of a real one.
    public let pace: Int64
    /// The plant that is simulated.
    public let plant: PlantPersonality
    /// The real course of events so far.
    public private(set) var truth = Truth()
    /// Whether somebody waters and repots.
    public var isCaredFor = true
    /// Whether rain falls on outdoor plants.
    public var isRainy = true
    /// Whether the sensor and its radio fail now and then.
    public var hasTroubles = true
    /// The time up to which the simulation has run, UTC milliseconds.
    public private(set) var now: Int64

    private var weather: SimulatedWeather
    private var soil: SimulatedSoil
    private var trouble: SimulatedTrouble
    private var sensor: SeesawSoilSensor<SeesawModel>
    private var random: SeededRandom
    private var hasBegun = false

    /// A plant whose history begins at `start`.
    /// - Parameters:
    ///   - seed: the same seed gives the same history, bit for bit.
    ///   - plant: its kind; without one the seed chooses.
    ///   - start: UTC milliseconds.
    ///   - utcOffset: milliseconds to add for the local time that its people and its sun go by.
    ///   - pace: milliseconds between readings.
    public init(
        seed: UInt64, plant: PlantPersonality? = nil, start: Int64, utcOffset: Int64 = 3_600_000,
        pace: Int64 = 900_000
    ) {
        let kind = plant ?? PlantPersonality.all[Int(seed % UInt64(PlantPersonality.all.count))]
        self.plant = kind
        self.pace = max(pace, 60_000)
        now = start
        weather = SimulatedWeather(seed: seed, utcOffset: utcOffset)
        soil = SimulatedSoil(seed: seed, plant: kind, utcOffset: utcOffset)
        trouble = SimulatedTrouble(seed: seed)
        sensor = SeesawSoilSensor(board: SeesawModel(seed: UInt32(truncatingIfNeeded: seed) | 1))
        random = SeededRandom(seed: seed, stream: 4)
    }

    /// The true moisture of the soil now, percent, which no sensor knows.
    public var moisturePercent: Double { soil.percent }

    /// Waters the plant by hand now, to what it likes.
    public mutating func water() {
        soil.pour()
        truth.wettings.append(now)
    }

    /// Lets time pass up to `end`, UTC milliseconds, and returns what the sensor sent, in the order of time.
    ///
    /// The history does not depend on the steps in which it is asked for.
    public mutating func advance(to end: Int64) -> [SimulatedReading] {
        var readings: [SimulatedReading] = []
        while now + pace <= end {
            now += pace
            step(&readings)
        }
        return readings
    }

    private mutating func step(_ readings: inout [SimulatedReading]) {
        let hours = Double(pace) / 3_600_000
        var moment = weather.moment(at: now, plant)
        if !isRainy { moment.rain = 0 }
        for event in soil.step(at: now, hours: hours, moment, isCaredFor: isCaredFor) {
            switch event {
            case .watered, .rained: truth.wettings.append(now)
            case .repotted: truth.repottings.append(now)
            }
        }
        var faults = trouble.step(at: now, hours: hours)
        if !hasTroubles { faults = SimulatedTrouble.Moment() }
        let jitter = Int64(random.between(-4_000, 4_000))
        let lightNoise = 1 + 0.04 * random.normal()
        prepare(moment, faults)
        guard !faults.isOffline else { return }
        let at = now + jitter
        func send(_ quantity: String, _ value: Double, places: Double) {
            readings.append(
                SimulatedReading(quantity: quantity, at: at, value: (value * places).rounded() / places))
        }
        if let (capacitance, milli) = measure() {
            send("moisture", MoistureScale.seesaw.percent(raw: Double(capacitance)), places: 10)
            send("temperature", Double(milli) / 1_000, places: 10)
        }
        send("light", max(moment.lux * lightNoise, 0), places: 1)
        send("humidity", moment.humidity, places: 10)
        send("battery", min(max(trouble.battery, 0), 100), places: 1)
    }

    /// Sets the registers of the model to what the soil is like.
    private mutating func prepare(_ moment: SimulatedWeather.Moment, _ faults: SimulatedTrouble.Moment) {
        let isOutside = faults.isOutside || now < soil.probeOutUntil
        // A capacitive probe drifts a little with temperature.
        let drift = 0.12 * (moment.celsius - 20)
        let percent = isOutside ? 0.8 : soil.percent + drift + faults.error
        if !faults.isStuck {
            sensor.board.capacitance = UInt16(min(max(MoistureScale.seesaw.raw(percent: percent), 290), 1_020))
        }
        sensor.board.set(temperatureMilliCelsius: Int32(moment.celsius * 1_000))
        // A weak battery makes the measurement noisy.
        sensor.board.faults.noise = trouble.battery < 15 && hasTroubles ? 9 : 4
        sensor.board.faults.stuck = faults.isDisconnected
    }

    private mutating func measure() -> (capacitance: UInt16, milliCelsius: Int32)? {
        do throws(SeesawError) {
            if !hasBegun {
                try sensor.begin()
                hasBegun = true
            }
            return (try sensor.capacitance(), try sensor.temperatureMilliCelsius())
        } catch {
            hasBegun = false
            return nil
        }
    }
}
