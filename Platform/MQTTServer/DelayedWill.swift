import MQTT

/// A will that waits for its client to come back, MQTT 5.0, section 3.1.3.2.2.
struct DelayedWill<Host: MessageHost> {
    var will: Will
    var principal: Principal
    var handler: Host.Handler
    /// When it is published, UTC milliseconds.
    var at: Int64
}

extension BrokerServer {
    /// A client has gone without saying goodbye: its will is published now, or once it has been away for as long as it asked
    /// for, or its session has ended, whichever comes first.
    ///
    /// - Parameter expirySeconds: how long its session outlives the connection.
    func take(_ will: Will, of key: MQTTSessionKey, through handler: Host.Handler, expirySeconds: UInt32) {
        let delay = min(will.delaySeconds, expirySeconds)
        guard delay > 0 else { return publish(will, of: key.principal, through: handler) }
        delayedWills[key] = DelayedWill(
            will: will, principal: key.principal, handler: handler, at: broker.now + Int64(delay) * 1_000)
    }

    /// A client has come back. Its session went on, and its will is not wanted, or has ended, and its will is due.
    func settleWill(of key: MQTTSessionKey, isSessionPresent: Bool) {
        guard let waiting = delayedWills.removeValue(forKey: key), !isSessionPresent else { return }
        publish(waiting.will, of: waiting.principal, through: waiting.handler)
    }

    func publishDelayedWills(where isDue: (DelayedWill<Host>) -> Bool) {
        for (key, waiting) in delayedWills where isDue(waiting) {
            delayedWills[key] = nil
            publish(waiting.will, of: waiting.principal, through: waiting.handler)
        }
    }
}
