import MQTT
import NIOCore
import Synchronization

/// The sender of messages to MQTT clients, usable from any thread. Until the listener has started, messages are
/// dropped.
public final class MessagePublisher: Sendable {
    private struct Way: Sendable {
        var outlet: NIOLoopBound<any MessageOutlet>
        var loop: any EventLoop
        /// The function that makes the app forget a device, and the one that revokes the old rights of a device with
        /// new ones.
        var forget: @Sendable (String) -> Void
        var revoke: @Sendable (String) -> Void
    }

    private let way = Mutex<Way?>(nil)
    private let observers = Mutex<[@Sendable (String, ByteBuffer) -> Void]>([])

    /// Adds what hears of each message that is published and not retained, on the thread of whoever publishes it.
    package func observe(_ body: @escaping @Sendable (String, ByteBuffer) -> Void) {
        observers.withLock { $0.append(body) }
    }

    /// Connects the sender to the running listener.
    package func attach(
        _ outlet: any MessageOutlet, loop: any EventLoop, forget: @escaping @Sendable (String) -> Void,
        revoke: @escaping @Sendable (String) -> Void
    ) {
        let bound = NIOLoopBound(outlet, eventLoop: loop)
        way.withLock { $0 = Way(outlet: bound, loop: loop, forget: forget, revoke: revoke) }
    }

    /// Publishes a message to all subscribers who may receive it.
    public func publish(
        topic: String, payload: ByteBuffer, qualityOfService: QualityOfService = .atMostOnce, retain: Bool = false
    ) {
        if !retain { for observer in observers.withLock({ $0 }) { observer(topic, payload) } }
        withOutlet {
            $0.publish(topic: topic, payload: payload, qualityOfService: qualityOfService, retain: retain)
        }
    }

    /// Closes the connections of a device that has to sign in again.
    public func disconnect(device: String) {
        let revoke = way.withLock { $0?.revoke }
        withOutlet {
            revoke?(device)
            $0.disconnect(.device(id: device))
        }
    }

    /// Closes a connection of an original system's client, after everything that was published to it.
    public func disconnect(legacyConnection number: UInt64) {
        withOutlet { $0.disconnect(.legacy(connection: number)) }
    }

    /// Closes the connections of a removed device and deletes its session and retained messages. Its will is not
    /// published.
    public func remove(device: String) {
        let forget = way.withLock { $0?.forget }
        withOutlet {
            forget?(device)
            $0.remove(.device(id: device))
        }
    }

    /// The listener's counters; zeros until it has started.
    public func statistics() async -> ListenerStatistics {
        guard let way = way.withLock({ $0 }) else { return ListenerStatistics() }
        return (try? await way.loop.submit { way.outlet.value.statistics }.get()) ?? ListenerStatistics()
    }

    private func withOutlet(_ body: @escaping @Sendable (any MessageOutlet) -> Void) {
        guard let way = way.withLock({ $0 }) else { return }
        if way.loop.inEventLoop { body(way.outlet.value) } else { way.loop.execute { body(way.outlet.value) } }
    }
}
