import HubKit
import NIOCore
import PlantsEngine

/// The decoder of what a plant sensor publishes. It lives on the listener's event loop.
final class SensorMessageDecoder: DeviceMessageDecoder {
    private let clock: HubClock
    private let device: String
    private let calibrations: Calibrations
    /// The calibration of this sensor, as of a version of all of them.
    private var known: (version: Int, calibration: Calibration?)?
    /// Whether this sensor sends moisture of its own, so that none is made of its capacitance.
    private var measuresMoisture = false
    /// The fault of `at` that was reported last, so that it is reported once: each message has it until a clock is set.
    private var reportedTimeFault: SensorMessageError.Kind?

    init(clock: HubClock, device: String, calibrations: Calibrations) {
        (self.clock, self.device, self.calibrations) = (clock, device, calibrations)
    }

    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        let calibration = calibration()
        var bridge = Bridge(readings, tail: tail, calibration: calibration)
        var failure: SensorMessageError?
        do throws(SensorMessageError) {
            try SensorMessage.decode(
                tail: tail.readableBytesUInt8Span, payload: payload.readableBytesUInt8Span, now: clock.now(),
                into: &bridge)
        } catch {
            failure = error
        }
        if bridge.hasMoisture { measuresMoisture = true }
        let isCalibrated = calibration?.probe == .capacitance
        if let capacitance = bridge.capacitance, isCalibrated || !measuresMoisture {
            let scale = isCalibrated ? calibration?.scale ?? .seesaw : .seesaw
            readings.add(
                quantity: KnownQuantities.moisture, unit: Quantity.moisture.unit,
                value: scale.percent(raw: capacitance.value), at: capacitance.at)
        }
        if let failure, failure.isAboutTime {
            guard reportedTimeFault != failure.kind else { return }
            reportedTimeFault = failure.kind
        }
        if let failure { throw BadMessage(String(decoding: failure.message(), as: UTF8.self)) }
    }

    /// The calibration of the sensor, which is looked up again where somebody has calibrated a sensor meanwhile, and
    /// not for each message.
    private func calibration() -> Calibration? {
        let version = calibrations.version
        if let known, known.version == version { return known.calibration }
        let calibration = calibrations.calibration(of: device)
        known = (version, calibration)
        return calibration
    }

    /// The bridge from the engine's collector to the hub's.
    private struct Bridge: MeasurementCollector {
        let readings: ReadingCollector
        /// The end of the topic, which names the quantity of a message with a single value, without a copy.
        let tail: ByteBuffer
        let calibration: Calibration?
        var hasMoisture = false
        var capacitance: (value: Double, at: Int64?)?

        init(_ readings: ReadingCollector, tail: ByteBuffer, calibration: Calibration?) {
            self.readings = readings
            self.tail = tail
            self.calibration = calibration
        }

        mutating func collect(quantity name: Span<UInt8>, value: Double, at: Int64?) {
            guard let quantity = Quantity(name: name) else {
                return readings.add(quantity: isTail(name) ? tail : Self.copy(name), unit: nil, value: value, at: at)
            }
            if quantity == .moisture {
                hasMoisture = true
                if let calibration {
                    // What it says by itself is kept, for another calibration one day.
                    readings.add(quantity: KnownQuantities.rawMoisture, unit: quantity.unit, value: value, at: at)
                    guard calibration.probe == .moisture else { return }
                    return readings.add(
                        quantity: KnownQuantities.moisture, unit: quantity.unit,
                        value: calibration.scale.percent(raw: value), at: at)
                }
            }
            if quantity == .capacitance { capacitance = (value, at) }
            readings.add(quantity: KnownQuantities.name(quantity), unit: quantity.unit, value: value, at: at)
        }

        private func isTail(_ name: Span<UInt8>) -> Bool {
            guard name.count == tail.readableBytes else { return false }
            for (index, byte) in tail.readableBytesView.enumerated() where byte != name[index] { return false }
            return true
        }

        private static func copy(_ name: Span<UInt8>) -> ByteBuffer {
            var copy = ByteBuffer()
            copy.reserveCapacity(name.count)
            for index in 0..<name.count { copy.writeInteger(name[index]) }
            return copy
        }
    }
}

/// The names of the quantities as buffers that need no copy.
private enum KnownQuantities {
    static let names = Quantity.allCases.map { ByteBuffer(staticString: $0.name) }
    static let moisture = name(.moisture)
    static let rawMoisture = ByteBuffer(string: Calibration.rawMoisture)

    /// The name of a quantity as a buffer: raw values count from zero in the order of the cases.
    static func name(_ quantity: Quantity) -> ByteBuffer { names[Int(quantity.rawValue)] }
}
