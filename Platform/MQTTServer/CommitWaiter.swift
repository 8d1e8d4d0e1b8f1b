import MQTT
import NIOCore

/// Waits for the commit of what nobody is owed an acknowledgement for.
final class CommitWaiter: Acknowledger {
    private var done: EventLoopPromise<Void>?

    /// - Parameter done: kept when the commit is done, or has failed.
    init(_ done: EventLoopPromise<Void>? = nil) { self.done = done }

    func sealed() -> ByteBuffer { ByteBuffer() }
    func committed(_ acknowledgements: ByteBuffer) { done.take()?.succeed() }
    func failed() { done.take()?.succeed() }
}
