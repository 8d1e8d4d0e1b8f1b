import HubKit
import NIOCore
import Storage

/// The reader of what devices say of their firmware, below `tandem/ID/firmware/`, whatever kind they are of. Called on the
/// listener's event loop.
public protocol BoardMessages: Sendable {
    /// Reads a message.
    ///
    /// - Parameters:
    ///   - name: the topic below `firmware/`.
    ///   - payload: the message.
    ///   - device: the device that has sent it.
    ///   - readings: what follows is done in its transaction, after which the message is acknowledged.
    func receive(
        _ name: String, payload: ByteBuffer, of device: DeviceRecord, into readings: ReadingCollector
    ) throws(BadMessage)
}

/// Knows no firmware.
struct NoBoardMessages: BoardMessages {
    func receive(
        _ name: String, payload: ByteBuffer, of device: DeviceRecord, into readings: ReadingCollector
    ) throws(BadMessage) {}
}
