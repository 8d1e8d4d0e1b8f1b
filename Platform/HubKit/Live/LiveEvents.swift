import GRDB
import Storage
import Synchronization

/// The live messages to open pages: each event is sent to every page that may see it.
///
/// Each message has a position, `<boot>-<sequence>`. A page that reconnects sends the last position it saw and gets the
/// messages since, or a `reset` if they are no longer buffered. A page that reads too slowly loses messages and gets a
/// `reset`, so no queue grows without limit.
public final class LiveEvents: Sendable {
    /// The number of messages that are buffered for pages that reconnect.
    static let kept = 2_048
    /// The time, in milliseconds, for which readings are buffered after the last page has left.
    static let patienceMilliseconds: Int64 = 120_000
    /// The number of messages that wait for one slow page.
    static let waiting = 512

    /// The random id of this run of the hub.
    package let boot: String
    private let state = Mutex(State())

    struct State {
        var sequence: UInt64 = 0
        /// A ring buffer: the message with sequence number n is at n modulo its size.
        var recent: [Message?] = Array(repeating: nil, count: LiveEvents.kept)
        var listeners: [UInt64: Listener] = [:]
        var nextListener: UInt64 = 0
        /// The time at which the last page left, in UTC milliseconds; nil before the first page came.
        var leftAt: Int64?
        /// The sequence number up to which messages were dropped, because no page was there.
        var passedOver: UInt64 = 0
    }

    struct Message: Sendable {
        var sequence: UInt64
        var household: String
        var text: String
    }

    struct Listener: Sendable {
        var member: Member
        var frames: AsyncStream<Frame>.Continuation
        var onEnd: (@Sendable () -> Void)?
    }

    /// One item of the stream to a page.
    package enum Frame: Sendable {
        /// A message.
        case text(String)
        /// A sign that messages were lost because the page reads too slowly.
        case overflow
        /// A sign that the page's sign-in has ended.
        case ended
    }

    private let clock: HubClock
    private let policy: Policy
    private let watchers = Mutex<[UInt64: AsyncStream<Void>.Continuation]>([:])

    init(boot: String, clock: HubClock = .system, policy: Policy = Policy()) {
        self.boot = boot
        self.clock = clock
        self.policy = policy
    }

    /// Whether readings need to be sent: a page is open, or one may reconnect. If not, a page that reconnects
    /// nevertheless gets a `reset`.
    package func isHeard(now: Int64) -> Bool {
        state.withLock { state in
            if !state.listeners.isEmpty { return true }
            if let left = state.leftAt, now >= left, now - left < Self.patienceMilliseconds { return true }
            state.sequence += 1
            state.passedOver = state.sequence
            return false
        }
    }

    /// A stream with an element after something has changed of which pages are told; changes that come close together may be one.
    package func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextListener += 1
            return state.nextListener
        }
        watchers.withLock { $0[id] = continuation }
        continuation.onTermination = { [weak self] _ in _ = self?.watchers.withLock { $0.removeValue(forKey: id) } }
        return stream
    }

    /// The number of open pages.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Sends an event to every page of a household once what a transaction writes is durable; never if that is undone.
    public func publish(_ event: LiveEvent, household: String, after db: Database) {
        db.afterCommit { self.publish(event, household: household) }
    }

    /// Has every page of a household load a part of a companion's data again, once its change is durable.
    ///
    /// - Parameters:
    ///   - what: the part, by the word that the companion's page knows.
    ///   - id: which one of it; empty where there is one, or where nobody is to learn which.
    ///   - companion: the companion.
    public func publish(
        changed what: String, id: String = "", of companion: (some Companion).Type, household: String,
        after db: Database
    ) {
        publish(.changed(companion: companion.slug, what: what, id: id), household: household, after: db)
    }

    /// Sends an event to every page of a household. What a transaction changes is published after it, see
    /// ``publish(_:household:after:)``.
    public func publish(_ event: LiveEvent, household: String) {
        if !event.isReading { for watcher in watchers.withLock({ Array($0.values) }) { watcher.yield() } }
        state.withLock { state in
            state.sequence += 1
            let text = event.text(id: "\(boot)-\(state.sequence)")
            state.recent[Int(state.sequence % UInt64(LiveEvents.kept))] = Message(
                sequence: state.sequence, household: household, text: text)
            for (_, listener) in state.listeners where policy.allowsLive(listener.member, household: household) {
                if case .dropped = listener.frames.yield(.text(text)) { listener.overflowed() }
            }
        }
    }

    /// Opens a page's stream of messages.
    ///
    /// - Parameters:
    ///   - member: the sign-in of the page.
    ///   - resume: the last position that the page saw; nil for a new page.
    ///   - now: the current time, in UTC milliseconds.
    ///   - onEnd: a function that is called when the page's sign-in ends.
    package func listen(_ member: Member, resume: String?, now: Int64, onEnd: (@Sendable () -> Void)? = nil) -> (
        id: UInt64, frames: AsyncStream<Frame>
    ) {
        let (frames, continuation) = AsyncStream.makeStream(
            of: Frame.self, bufferingPolicy: .bufferingNewest(LiveEvents.waiting))
        let id = state.withLock { state in
            let id = state.nextListener
            state.nextListener += 1
            let missed = missed(by: member, resume: resume, state)
            // The place from which the page goes on: a break during what follows loses nothing.
            let place = missed.isReset ? "\(boot)-\(state.sequence)" : resume ?? "\(boot)-\(state.sequence)"
            continuation.yield(.text(LiveEvent.hello(now: now).text(id: place)))
            for text in missed.texts { continuation.yield(.text(text)) }
            state.listeners[id] = Listener(member: member, frames: continuation, onEnd: onEnd)
            return id
        }
        return (id, frames)
    }

    /// Closes a page's stream.
    package func leave(_ id: UInt64) {
        let now = clock.now()
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: id)
            if listener != nil, state.listeners.isEmpty { state.leftAt = now }
            return listener
        }
        listener?.frames.finish()
    }

    /// The ids of the sign-ins that have a page open.
    package func signIns() -> Set<String> {
        state.withLock { state in Set(state.listeners.values.map(\.member.signIn)) }
    }

    /// Ends the streams of the sign-ins that match, such as all of a person.
    package func end(where isEnded: (Member) -> Bool) {
        state.withLock { state in
            for (id, listener) in state.listeners where isEnded(listener.member) {
                listener.onEnd?()
                listener.frames.yield(.ended)
                listener.frames.finish()
                state.listeners[id] = nil
            }
        }
    }

    /// Finishes every stream; the WebSockets close with 1001 (Going Away).
    package func shutDown() {
        let listeners = state.withLock { state in
            defer { state.listeners.removeAll() }
            return state.listeners
        }
        for (_, listener) in listeners { listener.frames.finish() }
    }

    /// The messages that a page has missed; a reset if they are no longer buffered or do not fit its queue.
    private func missed(by member: Member, resume: String?, _ state: State) -> (texts: [String], isReset: Bool) {
        guard let resume else { return ([], true) }
        let parts = resume.split(separator: "-")
        let reset = ([LiveEvent.reset.text(id: "\(boot)-\(state.sequence)")], true)
        guard parts.count == 2, parts[0] == boot, let seen = UInt64(parts[1]), seen <= state.sequence,
            seen >= state.passedOver, state.sequence - seen < UInt64(LiveEvents.kept)
        else { return reset }
        guard seen < state.sequence else { return ([], false) }
        let texts = (seen + 1...state.sequence).compactMap { sequence in
            state.recent[Int(sequence % UInt64(LiveEvents.kept))]
                .flatMap { policy.allowsLive(member, household: $0.household) ? $0.text : nil }
        }
        return texts.count < LiveEvents.waiting - 2 ? (texts, false) : reset
    }
}

extension LiveEvents.Listener {
    /// Marks the stream when its oldest message was dropped. One mark is enough, since the page loads everything again.
    fileprivate func overflowed() { frames.yield(.overflow) }
}
