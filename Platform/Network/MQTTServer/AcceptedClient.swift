import MQTT
import NIOCore

/// The client of a connection, from the CONNACK on that accepts it.
final class AcceptedClient<Handler: MessageHandler> {
    let principal: Principal
    /// The key of its session, current or left.
    let sessionKey: MQTTSessionKey
    /// The session; nil once it was left.
    var session: Broker.SessionID?
    let handler: Handler
    let openedAt: NIODeadline
    /// Whether messages that it publishes may be retained.
    let mayRetain: Bool
    /// Whether it hands on what others publish, as bridges and programs do.
    let handsOn: Bool
    /// The payloads that were kept when it began of the topics that it hands on.
    var keptBefore = KeptBefore()
    /// The number of the last message of it that the delegate has read and that is retained.
    private var lastReading: UInt64 = 0

    init(
        _ principal: Principal, key: MQTTSessionKey, session: Broker.SessionID, handler: Handler, isBridge: Bool,
        openedAt: NIODeadline
    ) {
        self.principal = principal
        sessionKey = key
        self.session = session
        self.handler = handler
        self.openedAt = openedAt
        mayRetain = principal.policy.mayRetain
        if case .integration = principal { handsOn = true } else { handsOn = isBridge }
    }

    /// The delegate's next reading of a message that is to be retained.
    ///
    /// - Parameter connection: the number of its connection.
    func nextReading(on connection: UInt64) -> RetainedReading {
        lastReading += 1
        return RetainedReading(connection: connection, number: lastReading)
    }
}
