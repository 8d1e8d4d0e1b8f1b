import MQTT
import NIOCore

/// A waiter for a commit that owes nobody an acknowledgement.
final class CommitWaiter: Acknowledger {
    private var done: EventLoopPromise<Void>?

    /// Creates a waiter.
    ///
    /// - Parameter done: fulfilled when the commit is done or has failed.
    init(_ done: EventLoopPromise<Void>? = nil) { self.done = done }

    func sealed() -> ByteBuffer { ByteBuffer() }
    func committed(_ acknowledgements: ByteBuffer) { done.take()?.succeed() }
    func failed() { done.take()?.succeed() }
}
