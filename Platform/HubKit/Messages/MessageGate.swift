import MQTT
import NIOCore
import Synchronization

/// The way from any thread to MQTT clients. Until the listener stands, what is published goes nowhere.
public final class MessageGate: Sendable {
    private struct Way: Sendable {
        var outlet: NIOLoopBound<any MessageOutlet>
        var loop: any EventLoop
        /// The app forgets a device; and the older rights of one that has others now.
        var forget: @Sendable (String) -> Void
        var revoke: @Sendable (String) -> Void
    }

    private let way = Mutex<Way?>(nil)

    package func attach(
        _ outlet: any MessageOutlet, loop: any EventLoop, forget: @escaping @Sendable (String) -> Void,
        revoke: @escaping @Sendable (String) -> Void
    ) {
        let bound = NIOLoopBound(outlet, eventLoop: loop)
        way.withLock { $0 = Way(outlet: bound, loop: loop, forget: forget, revoke: revoke) }
    }

    /// Publishes to whoever has subscribed and may receive it.
    public func publish(
        topic: String, payload: ByteBuffer, qualityOfService: QualityOfService = .atMostOnce, retain: Bool = false
    ) {
        withOutlet {
            $0.publish(topic: topic, payload: payload, qualityOfService: qualityOfService, retain: retain)
        }
    }

    /// Closes the connections of a device that has to sign in anew.
    public func disconnect(device: String) {
        let revoke = way.withLock { $0?.revoke }
        withOutlet {
            revoke?(device)
            $0.disconnect(.device(id: device))
        }
    }

    /// Closes a connection of an original system's client, after what was published to it before.
    public func disconnect(legacyConnection number: UInt64) {
        withOutlet { $0.disconnect(.legacy(connection: number)) }
    }

    /// Closes the connections of a device that is one no longer, and forgets what it left. Its will is nobody's.
    public func remove(device: String) {
        let forget = way.withLock { $0?.forget }
        withOutlet {
            forget?(device)
            $0.remove(.device(id: device))
        }
    }

    /// The listener's counts; zeros until it stands.
    public func statistics() async -> ListenerStatistics {
        guard let way = way.withLock({ $0 }) else { return ListenerStatistics() }
        return (try? await way.loop.submit { way.outlet.value.statistics }.get()) ?? ListenerStatistics()
    }

    private func withOutlet(_ body: @escaping @Sendable (any MessageOutlet) -> Void) {
        guard let way = way.withLock({ $0 }) else { return }
        if way.loop.inEventLoop { body(way.outlet.value) } else { way.loop.execute { body(way.outlet.value) } }
    }
}
