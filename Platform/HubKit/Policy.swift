import MQTT
import Storage

/// Who asks for something over HTTP or the live socket.
public enum Caller: Sendable {
    case anonymous
    case person(Member)

    package var member: Member? { if case .person(let member) = self { member } else { nil } }
}

/// Somebody who has signed in, and who uses the page now.
public struct Member: Sendable {
    /// The account.
    public var person: PersonRecord
    /// Who says to be using the page: the same household.
    public var profile: PersonRecord
    /// The record of the sign-in, by which it can be ended.
    public var signIn: String
    /// Whether the family shares the device.
    public var isShared = false
    /// When the account's password was typed on this device last, UTC milliseconds; nil where nobody has since a child
    /// used it or the family shares it.
    public var confirmedAt: Int64?

    package init(
        person: PersonRecord, profile: PersonRecord, signIn: String, isShared: Bool = false, confirmedAt: Int64? = nil
    ) {
        self.person = person
        self.profile = profile
        self.signIn = signIn
        self.isShared = isShared
        self.confirmedAt = confirmedAt
    }

    /// The household that both belong to.
    public var household: String { person.household }
}

/// What a route asks of its caller.
public enum Access: Sendable {
    /// No sign-in: the door itself, and what a monitor asks.
    case anyone
    /// Anybody of the household.
    case member
    /// An adult of the household who is using the page, not a child at an adult's phone; on a device that the family
    /// shares, with the password of the last minutes.
    case adult
    /// As `adult`, and any program on the hub's own machine that reached it by itself and not through a proxy: what a monitor
    /// such as Prometheus asks, which has no account. Nobody else, since how much is sent and when shows who is at home;
    /// what is answered has no name of a person or a device in it, for other users of the machine can ask too.
    case monitor
}

/// What the policy measures by.
public struct PolicyLimits: Sendable {
    /// How long a password that was typed on a device that the family shares stands for who holds it, milliseconds. It
    /// ends then whatever is done meanwhile: a page that asks the hub by itself would otherwise hold it open for ever.
    public var passwordMilliseconds: Int64 = 5 * 60_000
    /// How many things a child's profile may change in an hour on one device: note, deliver, set, take back. Somebody
    /// does a hundred in an evening of trying everything out. An adult's is not counted.
    public var childChangesAnHour = 400

    public init() {}
}

/// What the policy says to somebody who asks.
public enum AccessDecision: Sendable {
    case allowed
    /// Nobody is signed in.
    case signInFirst
    /// A child uses the page.
    case adultsOnly
    /// An adult may, and whoever holds this shared device has yet to show to be one.
    case passwordNeeded
}

/// Decides every route, every live message and every topic. What it does not allow is refused.
///
/// What is a household's (its rooms, devices, songs and readings) all of it see. What is somebody's own (what they did
/// and when, how well, what is planned, their reminders and appointments, their e-mail, year of birth and time zone) see
/// they and the adults. Of a brother or a sister a child sees the name, the face, whether it is done today, and what a
/// session is set up with on a device that may record one for them, and no more.
///
/// A device that the family shares may be in anybody's hands, whoever it was left as: without the password of the last
/// minutes an adult's profile on it may what each child may who could say to be there, and nothing of an adult's.
public struct Policy: Sendable {
    /// What it measures by.
    public var limits = PolicyLimits()

    public init(limits: PolicyLimits = PolicyLimits()) { self.limits = limits }

    /// What to say to somebody who wants to use a route.
    ///
    /// - Parameters:
    ///   - now: UTC milliseconds.
    ///   - isThisMachine: whether the request comes from the hub's own machine, see ``RequestSource/isThisMachine``.
    public func decision(
        _ caller: Caller, _ access: Access, now: Int64, isThisMachine: Bool = false
    ) -> AccessDecision {
        switch (access, caller) {
        case (.anyone, _), (.member, .person): .allowed
        case (.monitor, _) where isThisMachine: .allowed
        case (_, .anonymous): .signInFirst
        case (.adult, .person(let member)), (.monitor, .person(let member)):
            !isAdult(member) ? .adultsOnly : needsPassword(member, now: now) ? .passwordNeeded : .allowed
        }
    }

    /// Whether somebody may use a route.
    ///
    /// - Parameter now: UTC milliseconds.
    public func allows(_ caller: Caller, _ access: Access, now: Int64) -> Bool {
        if case .allowed = decision(caller, access, now: now) { true } else { false }
    }

    /// Whether an adult says to use the page. What they may do on a device that the family shares, ``allows(_:_:now:)``
    /// says.
    public func isAdult(_ member: Member) -> Bool { member.person.role == .adult && member.profile.role == .adult }

    /// Whether what is for adults wants the password first: at an adult's profile on a device that the family shares,
    /// where it was not typed in the last minutes. A clock that was put back ends them too.
    ///
    /// - Parameter now: UTC milliseconds.
    public func needsPassword(_ member: Member, now: Int64) -> Bool {
        guard isAdult(member), member.isShared else { return false }
        return passwordEnds(member, now: now) == nil
    }

    /// Until when the password that was typed on a shared device stands, UTC milliseconds; nil where none does.
    ///
    /// - Parameter now: UTC milliseconds.
    package func passwordEnds(_ member: Member, now: Int64) -> Int64? {
        guard let at = member.confirmedAt, at <= now, now - at < limits.passwordMilliseconds else { return nil }
        return at + limits.passwordMilliseconds
    }

    /// Whether a page of `member` may be sent something that belongs to `household`. Live messages carry readings of
    /// devices, and that something changed, by its id: what it is, the page asks for, and is answered as it may see it.
    public func allowsLive(_ member: Member, household: String) -> Bool { member.household == household }

    /// Whether `member` may see what is `person`'s own: an adult everybody's, a child at its own profile its own.
    ///
    /// - Parameter now: UTC milliseconds.
    public func allowsReading(_ member: Member, of person: PersonRecord, now: Int64) -> Bool {
        guard person.household == member.household else { return false }
        guard isAdult(member) else { return person.id == member.profile.id }
        return person.role == .child || !needsPassword(member, now: now)
    }

    /// Whether `member` may end the sign-in of the device that they hold: not a child's profile on one that the family shares,
    /// where everybody else would then find a locked door.
    package func allowsSignOut(_ member: Member) -> Bool { isAdult(member) || !member.isShared }

    /// Whether `member` may deliver a session of `person`. A session says whose it is, and may wait on a phone that
    /// another picks up meanwhile: adults deliver for everybody of the household, and so does the family's own device. A
    /// child's profile delivers for the children, and for the adult whose phone it is.
    public func allowsSession(_ member: Member, of person: PersonRecord) -> Bool {
        guard person.household == member.household else { return false }
        return isAdult(member) || member.isShared || person.role == .child
            || person.id == member.person.id || person.id == member.profile.id
    }

    /// Whether `member` may decide how a companion serves `person`: whoever may see how they are served, see
    /// ``allowsReading(_:of:now:)``.
    ///
    /// - Parameter now: UTC milliseconds.
    public func allowsSettings(_ member: Member, of person: PersonRecord, now: Int64) -> Bool {
        allowsReading(member, of: person, now: now)
    }

    /// Whether `member` may have a response again that was stored for whoever it was given to: they themselves, and who
    /// may see what it says. An answer that names nobody is the household's.
    ///
    /// - Parameters:
    ///   - person: whom it names, as they are now; nil for nobody.
    ///   - now: UTC milliseconds.
    func allowsAnswer(_ member: Member, in record: IdempotencyRecord, about person: PersonRecord?, now: Int64) -> Bool {
        if record.account == member.person.id, record.profile == member.profile.id { return true }
        return record.person == nil || person.map { allowsReading(member, of: $0, now: now) } ?? false
    }

    /// Whether `member` may play with a device: one of the household, of a kind that has a channel to pages.
    public func allowsChannel(_ member: Member, to device: DeviceRecord, _ channel: PageChannel?) -> Bool {
        channel != nil && device.household == member.household && device.removedAt == nil
    }

    /// What every topic of a device begins with.
    public func deviceTopics(_ id: String) -> String { "tandem/\(id)/" }

    /// Whether a device may use a topic or a filter: those below its own name, and no other.
    public func allowsDevice(_ id: String, topic: String) -> Bool { topic.hasPrefix(deviceTopics(id)) }

    /// Whether a client of an original system may use a topic: it publishes requests, and hears responses.
    public func allowsLegacy(_ access: TopicAccess, topic: String, of protocols: [LegacyProtocol]) -> Bool {
        let direction: LegacyTopic.Direction = access == .publish ? .request : .response
        return protocols.contains { $0.topics.contains(LegacyTopic(name: topic, direction: direction)) }
    }

    /// Whether a program may use a topic or a filter: one that its grants cover.
    public func allowsIntegration(grants: [TopicFilter], topic: String) -> Bool {
        guard let asked = try? TopicFilter(topic) else { return false }
        return grants.contains { $0.covers(asked) }
    }
}
