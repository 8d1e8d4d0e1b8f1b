import ClientKit
import DeviceHAL
import HubKit
import MotionLabDevice
import MotionLabEngine

/// A barometer, and whether it has been woken: gives what it measured in a second as a message of Sensor Logger's.
actor BarometerProbe<Board: I2CBus & Ticks & Sendable> {
    private var sensor: BME280<Board>
    private let hertz: Int
    private let clock: HubClock
    private let move: @Sendable (inout BME280<Board>, Double) -> Void
    private let session = Secret.identifier()
    private let begun: ContinuousClock.Instant
    private var hasStarted = false
    private var messages = 0

    /// Prepares the probe of a sensor.
    ///
    /// - Parameters:
    ///   - hertz: measurements a second.
    ///   - move: what happens to a model of the sensor, by the seconds since the start; nothing to a real one.
    init(
        _ sensor: BME280<Board>, hertz: Int, clock: HubClock = .system,
        move: @escaping @Sendable (inout BME280<Board>, Double) -> Void = { _, _ in }
    ) {
        self.sensor = sensor
        self.hertz = hertz
        self.clock = clock
        self.move = move
        begun = .now
    }

    /// The message with a second's readings; nil, and a word on the terminal, where the sensor has no value. It takes a
    /// second.
    func message() async -> String? {
        var readings: [String] = []
        let start = ContinuousClock.now
        for place in 0..<hertz {
            try? await Task.sleep(until: start + .seconds(1) * place / hertz, clock: .continuous)
            do throws(BME280Error) {
                readings.append(try reading())
            } catch {
                hasStarted = false
                CommandOutput.say("No reading: \(error.message)")
                try? await Task.sleep(for: .seconds(1))
                break
            }
        }
        try? await Task.sleep(until: start + .seconds(1), clock: .continuous)
        guard !readings.isEmpty else { return nil }
        defer { messages += 1 }
        let payload = readings.joined(separator: ",")
        return #"{"messageId":\#(messages),"sessionId":"\#(session)","deviceId":"bme280","payload":[\#(payload)]}"#
    }

    /// A measurement in hPa at UTC nanoseconds as Sensor Logger has them.
    private func reading() throws(BME280Error) -> String {
        move(&sensor, begun.duration(to: .now) / .seconds(1))
        if !hasStarted {
            try sensor.begin()
            hasStarted = true
        }
        let measured = try sensor.measure()
        let pressure = Double(measured.pascal256) / 25_600
        return #"{"name":"barometer","time":\#(clock.now() * 1_000_000),"values":{"pressure":\#(pressure)}}"#
    }
}

extension LiftRide {
    /// Moves a model of the barometer to where the lift is.
    static func move(_ sensor: inout BME280<BME280Model>, atSeconds seconds: Double) {
        guard let calibration = sensor.calibration else { return }
        let wanted = UInt32(Altitude.pressure(metres: state(atSeconds: seconds).height, reference: 1_006.53) * 25_600)
        // What it measures falls as its register rises.
        var (low, high) = (Int32(250_000), Int32(600_000))
        while low < high {
            let middle = (low + high) / 2
            let measured = calibration.compensated(
                pressure: middle, temperature: sensor.board.rawTemperature, humidity: sensor.board.rawHumidity)
            if measured.pascal256 > wanted { low = middle + 1 } else { high = middle }
        }
        sensor.board.rawPressure = low
    }
}

extension BME280Error {
    /// The words about what is wrong with the sensor, and what to look at.
    var message: String {
        switch self {
        case .bus(.notAcknowledged): "nothing answers at that address. Check the wiring and --address."
        case .bus(.busStuck): "a line of the bus is held low. Check the wiring, and power the sensor off and on."
        case .bus(let error): "the bus failed (\(error))."
        case .wrongDevice(0x58): "that is a BMP280, which has no humidity. This command wants a BME280."
        case .wrongDevice(let id): "what answers there is no BME280 (it says 0x\(String(id, radix: 16)))."
        case .notReady: "the sensor was not ready in time."
        case .notCalibrated: "the sensor has lost what it was calibrated with. Power it off and on."
        case .nothingMeasured: "the sensor measured nothing."
        }
    }
}
