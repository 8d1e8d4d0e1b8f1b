import MQTT
import NIOCore

/// The publishing of wills.
extension BrokerServer {
    /// Handles a client that leaves, with its will if it has not said goodbye: the will is published now or delayed.
    func leave(_ session: Broker.SessionID, _ will: Will?, of principal: Principal, through handler: Delegate.Handler) {
        if let will, let changes = broker.delay(will, of: session) {
            changes.forEach(record)
            return left(session)
        }
        broker.forgetWill(of: session).forEach(record)
        left(session)
        if let will { publish(will, of: principal, through: handler) }
    }

    /// Settles the wills after a client has connected: of its own session, and of others that ended to make room.
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
            due.will, of: principal, through: delegate.handlerOfAbsent(principal, clientID: due.key.clientID))
    }
}
