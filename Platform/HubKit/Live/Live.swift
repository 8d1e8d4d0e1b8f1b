import Synchronization

/// What has just happened, sent to every open page that may know.
///
/// Each message has a place, `<boot>-<sequence>`. A page that lost its connection says the last place it saw and gets
/// what it missed, or a `reset` where that is no longer buffered. A page that reads too slowly loses messages and is
/// told so by a `reset`: nothing grows without bound.
public final class Live: Sendable {
    /// Messages buffered for pages that come back.
    static let kept = 2_048
    /// How long readings are still kept after the last page has left, in case it comes back.
    static let patienceMilliseconds: Int64 = 120_000
    /// Messages that wait for one slow page.
    static let waiting = 512

    package let boot: String
    private let state = Mutex(State())

    struct State {
        var sequence: UInt64 = 0
        /// A ring: the message of sequence n is at n modulo its size.
        var recent: [Message?] = Array(repeating: nil, count: Live.kept)
        var listeners: [UInt64: Listener] = [:]
        var nextListener: UInt64 = 0
        /// When the last page left; nil before the first came.
        var leftAt: Int64?
        /// The place up to which messages were passed over, because nobody was there to hear them.
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

    /// What one page is sent.
    package enum Frame: Sendable {
        case text(String)
        /// Messages were lost on the way to this page.
        case overflow
        /// The right to listen has ended.
        case ended
    }

    private let clock: HubClock
    private let policy: Policy

    init(boot: String, clock: HubClock = .system, policy: Policy = Policy()) {
        self.boot = boot
        self.clock = clock
        self.policy = policy
    }

    /// Whether readings are worth telling: a page is open, or one may come back. If not, whoever comes back all the
    /// same gets a `reset`.
    func isHeard(now: Int64) -> Bool {
        state.withLock { state in
            if !state.listeners.isEmpty { return true }
            if let left = state.leftAt, now >= left, now - left < Self.patienceMilliseconds { return true }
            state.sequence += 1
            state.passedOver = state.sequence
            return false
        }
    }

    /// How many pages listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Tells every page of a household.
    public func tell(_ event: LiveEvent, household: String) {
        state.withLock { state in
            state.sequence += 1
            let text = event.text(id: "\(boot)-\(state.sequence)")
            state.recent[Int(state.sequence % UInt64(Live.kept))] = Message(
                sequence: state.sequence, household: household, text: text)
            for (_, listener) in state.listeners where policy.allowsLive(listener.member, household: household) {
                if case .dropped = listener.frames.yield(.text(text)) { listener.overflowed() }
            }
        }
    }

    /// A page's stream, from the place it says it has seen.
    ///
    /// - Parameter onEnd: called when the page has no right to listen any longer.
    package func listen(_ member: Member, resume: String?, now: Int64, onEnd: (@Sendable () -> Void)? = nil) -> (
        id: UInt64, frames: AsyncStream<Frame>
    ) {
        let (frames, continuation) = AsyncStream.makeStream(
            of: Frame.self, bufferingPolicy: .bufferingNewest(Live.waiting))
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

    package func leave(_ id: UInt64) {
        let now = clock.now()
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: id)
            if listener != nil, state.listeners.isEmpty { state.leftAt = now }
            return listener
        }
        listener?.frames.finish()
    }

    /// The sign-ins that have a page open.
    package func signIns() -> Set<String> {
        state.withLock { state in Set(state.listeners.values.map(\.member.signIn)) }
    }

    /// Ends the streams of a sign-in, or of all sign-ins of a person.
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

    /// Finishes every stream: the sockets say goodbye with 1001.
    package func shutDown() {
        let listeners = state.withLock { state in
            defer { state.listeners.removeAll() }
            return state.listeners
        }
        for (_, listener) in listeners { listener.frames.finish() }
    }

    /// What a page has not seen, or a reset where that is gone or too much for its queue.
    private func missed(by member: Member, resume: String?, _ state: State) -> (texts: [String], isReset: Bool) {
        guard let resume else { return ([], true) }
        let parts = resume.split(separator: "-")
        let reset = ([LiveEvent.reset.text(id: "\(boot)-\(state.sequence)")], true)
        guard parts.count == 2, parts[0] == boot, let seen = UInt64(parts[1]), seen <= state.sequence,
            seen >= state.passedOver, state.sequence - seen < UInt64(Live.kept)
        else { return reset }
        guard seen < state.sequence else { return ([], false) }
        let texts = (seen + 1...state.sequence).compactMap { sequence in
            state.recent[Int(sequence % UInt64(Live.kept))]
                .flatMap { policy.allowsLive(member, household: $0.household) ? $0.text : nil }
        }
        return texts.count < Live.waiting - 2 ? (texts, false) : reset
    }
}

extension Live.Listener {
    /// The oldest waiting message was pushed out. The page loads everything again, so one sign of it is enough.
    fileprivate func overflowed() { frames.yield(.overflow) }
}
