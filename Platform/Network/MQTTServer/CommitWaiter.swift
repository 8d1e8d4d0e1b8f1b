import MQTT
import NIOCore

/// A waiter for a commit that owes nobody an acknowledgement.
final class CommitWaiter: Acknowledger {
    private var done: EventLoopPromise<Void>?
    private let stored: () -> Void

    /// Creates a waiter.
    ///
    /// - Parameters:
    ///   - done: fulfilled when the commit is done or has failed.
    ///   - stored: called when the commit is done.
    init(_ done: EventLoopPromise<Void>? = nil, stored: @escaping () -> Void = {}) {
        self.done = done
        self.stored = stored
    }

    func sealed() -> ByteBuffer { ByteBuffer() }
    func committed(_ acknowledgements: ByteBuffer) {
        stored()
        done.take()?.succeed()
    }
    func failed() { done.take()?.succeed() }
}
