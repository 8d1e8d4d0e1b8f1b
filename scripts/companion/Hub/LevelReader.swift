import HubKit
import @NAME@Engine
import NIOCore

/// Understands what a device publishes: its level, to `tandem/<id>/level`. Lives on the listener's event loop.
final class LevelReader: DeviceReader {
    /// Below the device's own topic, and the name of the series.
    static let topic = "level"

    func read(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        do throws(Level.Failure) {
            let percent = try Level.read(payload.readableBytesUInt8Span)
            readings.add(quantity: tail, unit: "%", value: percent, at: nil)
        } catch {
            switch error {
            case .notANumber: throw BadMessage("A level is a number, such as 41.5.")
            case .outOfRange: throw BadMessage("A level is from 0 to 100 percent.")
            }
        }
    }
}
