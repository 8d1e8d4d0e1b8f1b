import HubKit
import @NAME@Engine
import NIOCore

/// The decoder of a device's messages: its level, on `tandem/<id>/level`. It runs on the listener's event loop.
final class LevelMessageDecoder: DeviceMessageDecoder {
    /// The topic below the device's own, and the name of the series.
    static let topic = "level"

    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
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
