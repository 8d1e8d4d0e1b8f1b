import MQTT
import NIOCore

/// When wills are published.
extension BrokerServer {
    /// A client leaves, with this will where it has not said goodbye: that is published now, or waits.
    func leave(_ session: Broker.SessionID, _ will: Will?, of principal: Principal, through handler: Host.Handler) {
        if let will, let changes = broker.delay(will, of: session) {
            changes.forEach(record)
            return left(session)
        }
        broker.forgetWill(of: session).forEach(record)
        left(session)
        if let will { publish(will, of: principal, through: handler) }
    }

    /// A client has come: its own session went on, or has ended, and so may others have that gave way to it.
    func settleWills(_ opened: Broker.Opened, of key: MQTTSessionKey) {
        publish(broker.settleWill(of: key, isSessionPresent: opened.isPresent))
        for case .ended(let ended) in opened.changes where ended != key {
            publish(broker.settleWill(of: ended, isSessionPresent: false))
        }
    }

    func publishDueWills() {
        let (wills, changes) = broker.takeDueWills()
        changes.forEach(record)
        for will in wills { publish(will) }
    }

    private func publish(_ due: Broker.DueWill?) {
        guard let due else { return }
        let principal = due.key.principal
        publish(
            due.will, of: principal, through: host.handlerOfAbsent(principal, clientID: due.key.clientID))
    }
}
