import Hummingbird
import NIOCore
import Synchronization

/// The body of one request. It can be read from the connection only once, and may be needed twice: decoded by its
/// route, and hashed for its idempotency key. Its bytes count in ``BodyMemory`` as long as this object lives.
final class RequestContent: Sendable {
    private struct State {
        var collected: ByteBuffer?
        var taken = 0
    }

    private let memory: BodyMemory
    private let state = Mutex(State())

    init(memory: BodyMemory) { self.memory = memory }

    deinit { memory.giveBack(state.withLock { $0.taken }) }

    /// Reads the body, or returns what was read before.
    ///
    /// - Throws: `NIOTooManyBytesError`, which becomes a 413 response, for a body beyond the limit; a 503 problem while
    ///   other bodies leave no memory; a 400 problem if the connection breaks off.
    func bytes(of request: Request, upTo limitBytes: Int) async throws -> ByteBuffer {
        if let bytes = state.withLock({ $0.collected }) { return bytes }
        var bytes = ByteBuffer()
        var parts = request.body.makeAsyncIterator()
        while var part = try await parts.part() {
            guard bytes.readableBytes + part.readableBytes <= limitBytes else {
                throw NIOTooManyBytesError(maxBytes: limitBytes)
            }
            guard memory.take(part.readableBytes) else {
                throw Problem(
                    .serviceUnavailable, "Busy",
                    "The hub is taking in as much as it can hold at once. Nothing was changed; try again in a moment.",
                    retryAfter: 5)
            }
            state.withLock { $0.taken += part.readableBytes }
            bytes.writeBuffer(&part)
        }
        state.withLock { $0.collected = bytes }
        return bytes
    }
}

extension RequestBody.AsyncIterator {
    /// The next part of the body; nil at the end.
    ///
    /// - Throws: a 400 problem if the connection breaks off: the client's fault, not an error to log.
    mutating func part() async throws -> ByteBuffer? {
        do {
            return try await next()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw Problem(.badRequest, "Broke off", "Not all of the request has come. Send it again.")
        }
    }
}
