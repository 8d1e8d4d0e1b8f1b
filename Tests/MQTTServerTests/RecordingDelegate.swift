import MQTT
import NIOCore

/// A delegate that records what it is given, and does what a test wants. Lives on the listener's event loop.
///
/// Who connects is known by the user name: none is `open`; `device <id>`, `integration <id>` and `legacy` are those;
/// `refuse <code>` is refused, `fail` cannot be looked up, `wait` is answered when the test says so.
final class RecordingDelegate: BrokerDelegate {
    final class Handler: MessageHandler {
        private let delegate: RecordingDelegate
        private let principal: Principal

        init(_ delegate: RecordingDelegate, _ principal: Principal) {
            self.delegate = delegate
            self.principal = principal
        }

        func receive(topic: ByteBuffer, payload: ByteBuffer, retain: Bool, repetition: Repetition) -> PublishOutcome {
            let topic = String(buffer: topic)
            if topic.hasPrefix("foreign/") { return .foreign }
            delegate.received.append(
                Received(topic: topic, payload: String(buffer: payload), retain: retain, repetition: repetition))
            return .taken(relay: !topic.hasPrefix("private/"), stores: !topic.hasPrefix("passed/"))
        }

        func subscribed(to filter: TopicFilter) { delegate.subscribed.append(filter.description) }

        func close() { delegate.departed.append(principal) }
    }

    struct Received: Equatable, Sendable {
        var topic: String
        var payload: String
        var retain = false
        var repetition = Repetition.none
    }

    struct Unreachable: Error {}

    func gaveWay(_ principal: Principal) { yielded.append(principal) }

    let loop: any EventLoop
    /// UTC milliseconds.
    var time: Int64 = 1_795_000_000_000
    var stored: [StoredChange] = []
    var received: [Received] = []
    var departed: [Principal] = []
    var yielded: [Principal] = []
    var recorded: [StoredChange] = []
    var attempts: [ConnectionAttempt] = []
    var isForbidden: (Principal, TopicAccess, String) -> Bool = { _, _, _ in false }
    /// How often it was asked whether somebody may subscribe.
    private(set) var subscriptions = 0
    /// The filters that were subscribed, in their order.
    var subscribed: [String] = []
    /// While set, commits wait for `finishCommits`.
    var holdsCommits = false
    var isFull = false
    private(set) var outlet: (any MessageOutlet)?

    private var waiting: [any Acknowledger] = []
    private var sealed: [(any Acknowledger, ByteBuffer)] = []
    private var isScheduled = false
    private var resumes: [() -> Void] = []
    private var pending: [EventLoopPromise<Authentication>] = []

    init(_ loop: any EventLoop) { self.loop = loop }

    func authenticate(_ attempt: ConnectionAttempt) -> EventLoopFuture<Authentication> {
        attempts.append(attempt)
        let words = (attempt.userName ?? "open").split(separator: " ")
        let id = words.count > 1 ? String(words[1]) : ""
        switch words.first {
        case "device": return loop.makeSucceededFuture(.accepted(.device(id: id)))
        case "integration": return loop.makeSucceededFuture(.accepted(.integration(id: id)))
        case "legacy": return loop.makeSucceededFuture(.accepted(.legacy(connection: attempt.connection)))
        case "refuse":
            let code = UInt8(id).flatMap(ConnectReturnCode.init(rawValue:)) ?? .notAuthorized
            return loop.makeSucceededFuture(.refused(code))
        case "fail": return loop.makeFailedFuture(Unreachable())
        case "wait":
            let promise = loop.makePromise(of: Authentication.self)
            pending.append(promise)
            return promise.futureResult
        default: return loop.makeSucceededFuture(.accepted(.open))
        }
    }

    func admitWaiting() {
        for promise in pending { promise.succeed(.accepted(.open)) }
        pending = []
    }

    func handler(for principal: Principal, clientID: String) -> Handler { Handler(self, principal) }
    func handlerOfAbsent(_ principal: Principal, clientID: String) -> Handler { Handler(self, principal) }

    func allows(_ principal: Principal, _ access: TopicAccess, topic: String) -> Bool {
        if access == .subscribe { subscriptions += 1 }
        return !isForbidden(principal, access, topic)
    }

    func commit(for waiter: any Acknowledger) {
        waiting.append(waiter)
        guard !isScheduled, sealed.isEmpty else { return }
        isScheduled = true
        loop.assumeIsolated().execute {
            self.isScheduled = false
            self.seal()
        }
    }

    private func seal() {
        sealed = waiting.map { ($0, $0.sealed()) }
        waiting = []
        if !holdsCommits { finishCommits() }
    }

    /// Ends the commit under way, and starts the next.
    func finishCommits(failing: Bool = false) {
        let done = sealed
        sealed = []
        if !waiting.isEmpty { seal() }
        for (waiter, bytes) in done {
            if failing { waiter.failed() } else { waiter.committed(bytes) }
        }
    }

    var isCommitting: Bool { !sealed.isEmpty }

    func hasRoom(resume: @escaping () -> Void) -> Bool {
        if isFull { resumes.append(resume) }
        return !isFull
    }

    func makeRoom() {
        isFull = false
        let waiting = resumes
        resumes = []
        for resume in waiting { resume() }
    }

    func now() -> Int64 { time }

    func record(_ change: StoredChange) { recorded.append(change) }
    func restore() throws -> [StoredChange] { stored }
    func attach(_ outlet: any MessageOutlet) { self.outlet = outlet }
}
