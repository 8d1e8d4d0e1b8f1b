import HubKit
import NIOCore

/// The decoder of what a kit publishes: notifications, for the page that plays with it. The hub keeps none of them as
/// readings; what was played is in the session that the page records.
final class KitMessageDecoder: DeviceMessageDecoder {
    /// The most bytes of a kit's notification, its NUL included.
    static let mostBytes = 20

    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        guard tail == Self.hit else {
            throw BadMessage("A kit publishes what was struck to “hit”, and nothing else.")
        }
        guard (1...Self.mostBytes).contains(payload.readableBytes) else {
            throw BadMessage(
                "A notification has 1 to \(Self.mostBytes) bytes, and this one has \(payload.readableBytes).")
        }
    }

    private static let hit = ByteBuffer(staticString: "hit")
}
