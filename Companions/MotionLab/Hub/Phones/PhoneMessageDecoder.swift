import HubKit
import Localization
import MotionLabEngine
import NIOCore
import Storage

/// The decoder of what a phone publishes: Sensor Logger's messages, to `tandem/<id>/sensor-logger`. Lives on the
/// listener's event loop.
final class PhoneMessageDecoder: DeviceMessageDecoder {
    /// The topic of a phone's messages, below the device's own.
    static let topic = "sensor-logger"

    private let device: DeviceRecord
    private let lab: MotionLab

    init(device: DeviceRecord, lab: MotionLab) {
        self.device = device
        self.lab = lab
    }

    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        let bytes = Array(buffer: payload)
        do throws(SensorLoggerError) {
            let push = try lab.meter.measure { () throws(SensorLoggerError) in
                try lab.phones.push(bytes, from: device.id, agent: nil)
            }
            readings.perform { [device, lab] db in try lab.store(push, of: device, db) }
        } catch {
            lab.phones.refused(device.id, error, now: lab.hub.clock.now())
            // The owner reads it on the device's page, and the log is in English.
            throw BadMessage(SensorLoggerText.refused(error).string(in: .english, from: .motionLab))
        }
    }
}
