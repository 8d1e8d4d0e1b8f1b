import Hummingbird
import NIOCore
import Synchronization

/// The body of one request. It comes from the connection only once, and may be wanted twice: decoded by its route, and
/// digested for its receipt.
final class RequestContent: Sendable {
    private let collected = Mutex<ByteBuffer?>(nil)

    /// - Throws: Hummingbird's 413 for a body beyond the limit.
    func bytes(of request: Request, upTo limitBytes: Int) async throws -> ByteBuffer {
        if let bytes = collected.withLock({ $0 }) { return bytes }
        var request = request
        let bytes = try await request.collectBody(upTo: limitBytes)
        collected.withLock { $0 = bytes }
        return bytes
    }
}
