import HubKit
import NIOCore
import Synchronization

/// Bytes that are the same for whoever asks, and dear to write: written when they are first asked for, and by one of those
/// who ask at once.
final class LazyBytes: Sendable {
    private let write: @Sendable () throws -> ByteBuffer
    private let written = Mutex<ByteBuffer?>(nil)

    /// - Parameter write: what it throws is thrown to who asks, and it is tried again for the next.
    init(_ write: @escaping @Sendable () throws -> ByteBuffer) { self.write = write }

    var bytes: ByteBuffer {
        get throws {
            try written.withLock { written in
                if let written { return written }
                let bytes = try write()
                written = bytes
                return bytes
            }
        }
    }
}
