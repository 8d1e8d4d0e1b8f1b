import HubKit
import NIOCore
import Synchronization

/// Bytes that are the same for every request and costly to produce: they are produced once, at the first request.
final class LazyBytes: Sendable {
    private let write: @Sendable () throws -> ByteBuffer
    private let written = Mutex<ByteBuffer?>(nil)

    /// Creates the bytes lazily.
    ///
    /// - Parameter write: produces the bytes. Its error is thrown to the caller, and it is tried again for the next
    ///   one.
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
