import MQTT
import Storage

/// The sender of an HTTP request, or the owner of a live connection.
public enum Caller: Sendable {
    /// A caller who is not signed in.
    case anonymous
    /// A caller who is signed in.
    case person(Member)

    /// The caller's sign-in; nil if anonymous.
    package var member: Member? { if case .person(let member) = self { member } else { nil } }
}

/// A signed-in account, and the profile that is using the page now.
public struct Member: Sendable {
    /// The person whose account is signed in.
    public var person: PersonRecord
    /// The person who is using the page now, as chosen on the page. It is a person of the same household.
    public var profile: PersonRecord
    /// The id of the sign-in, by which it can be ended.
    public var signIn: String
    /// Whether the device is shared by the family.
    public var isShared = false
    /// The time at which the account's password was last typed on this device, in UTC milliseconds; nil if not since a
    /// child used the device or the family began to share it.
    public var confirmedAt: Int64?
    /// The permission of a program that reads in the account's stead; nil for a person who has signed in.
    package var grant: ReadGrant?

    /// Creates a member from an account and a profile of the same household.
    package init(
        person: PersonRecord, profile: PersonRecord, signIn: String, isShared: Bool = false, confirmedAt: Int64? = nil
    ) {
        self.person = person
        self.profile = profile
        self.signIn = signIn
        self.isShared = isShared
        self.confirmedAt = confirmedAt
    }

    /// The id of the household that account and profile belong to.
    public var household: String { person.household }
}

/// The sign-in that a route requires of its caller.
public enum Access: Sendable {
    /// No sign-in: for the sign-in itself, and for health checks.
    case anyone
    /// Any person of the household.
    case member
    /// An adult of the household whose own profile is in use, not a child at an adult's phone. On a shared device, the
    /// password must have been typed in the last minutes.
    case adult
    /// The same as `adult`, or any program on the hub's own machine that connects directly and not through a proxy: for
    /// a monitor such as Prometheus, which has no account. Nobody else, because the amount and time of traffic show who
    /// is at home. The answer must not contain names of people or devices, since other users of the machine can request
    /// it too.
    case monitor
}

/// The limits that ``Policy`` applies.
public struct PolicyLimits: Sendable {
    /// The time for which a password that was typed on a shared device is valid, in milliseconds. It is not extended by
    /// use: a page that polls the hub would otherwise extend it for ever.
    public var passwordMilliseconds: Int64 = 5 * 60_000
    /// The number of changes that a child's profile may make in an hour on one device. Somebody who tries everything
    /// out makes a hundred in an evening. Adults' changes are not limited.
    public var childChangesAnHour = 400

    /// Creates the default limits.
    public init() {}
}

/// The policy's decision about a request.
public enum AccessDecision: Sendable {
    /// The request is allowed.
    case allowed
    /// The caller is not signed in.
    case signInFirst
    /// The profile in use is a child's.
    case adultsOnly
    /// The profile in use is an adult's, on a shared device, and the password has not been typed in the last minutes.
    case passwordNeeded
    /// The caller is a program that was not let in for this.
    case notGranted
}

/// The access rules: which caller may use which route, live message and MQTT topic. Everything that they do not allow
/// is refused.
///
/// Data of the household (rooms, devices, songs and readings) is visible to all of its people. Data of one person (what
/// they did, when and how well, their plans, reminders and appointments, their e-mail address, year of birth and time
/// zone) is visible to that person and the adults. A child sees of a brother or sister only the name, the picture,
/// whether today's task is done, and what is needed to set up a session for them on a device that may record one.
///
/// A device that the family shares may be in anyone's hands, whichever profile was last in use: until the password is
/// typed, an adult's profile on it may do what every child of the household may do, and nothing that is for adults.
public struct Policy: Sendable {
    /// The limits that the rules apply.
    public var limits = PolicyLimits()

    /// Creates the rules with some limits.
    public init(limits: PolicyLimits = PolicyLimits()) { self.limits = limits }

    /// The decision about a request to a route.
    ///
    /// - Parameters:
    ///   - caller: the sender of the request.
    ///   - access: the sign-in that the route requires.
    ///   - reads: the slug of the companion whose route it is, if it is one that reads; nil for every other.
    ///   - now: the current time, in UTC milliseconds.
    ///   - isThisMachine: whether the request comes directly from a program on the hub's own machine.
    public func decision(
        _ caller: Caller, _ access: Access, reads: String? = nil, now: Int64, isThisMachine: Bool = false
    ) -> AccessDecision {
        if let grant = caller.member?.grant { return decision(grant, access, reads: reads, isThisMachine) }
        return switch (access, caller) {
        case (.anyone, _), (.member, .person): .allowed
        case (.monitor, _) where isThisMachine: .allowed
        case (_, .anonymous): .signInFirst
        case (.adult, .person(let member)), (.monitor, .person(let member)):
            !isAdult(member) ? .adultsOnly : needsPassword(member, now: now) ? .passwordNeeded : .allowed
        }
    }

    /// The decision about a request of a program that may read: routes that read of the companions that it was let in for,
    /// where they are for every person of the household, and nothing else.
    private func decision(_ grant: ReadGrant, _ access: Access, reads: String?, _ isThisMachine: Bool)
        -> AccessDecision
    {
        switch access {
        case .anyone: .allowed
        case .monitor: isThisMachine ? .allowed : .notGranted
        case .adult: .notGranted
        case .member: reads.map { grant.companions.contains($0) } ?? false ? .allowed : .notGranted
        }
    }

    /// Whether a caller may use a route.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    public func allows(_ caller: Caller, _ access: Access, now: Int64) -> Bool {
        if case .allowed = decision(caller, access, now: now) { true } else { false }
    }

    /// Whether an adult's account is used by an adult's profile, or by a program that may read what is everyone's. On a shared
    /// device that is not enough, see ``allows(_:_:now:)``.
    public func isAdult(_ member: Member) -> Bool {
        member.person.role == .adult && member.profile.role == .adult && member.grant?.isForEveryone ?? true
    }

    /// Whether the password has to be typed before anything that is for adults: true for an adult's profile on a shared
    /// device where it has not been typed in the last minutes, or where the clock was set back since.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    public func needsPassword(_ member: Member, now: Int64) -> Bool {
        guard isAdult(member), member.isShared else { return false }
        return passwordEnds(member, now: now) == nil
    }

    /// The time until which a password typed on a shared device is valid, in UTC milliseconds; nil if it is not.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    package func passwordEnds(_ member: Member, now: Int64) -> Int64? {
        guard let at = member.confirmedAt, at <= now, now - at < limits.passwordMilliseconds else { return nil }
        return at + limits.passwordMilliseconds
    }

    /// Whether a page of `member` may be sent live messages of `household`. They carry readings of devices, and the ids
    /// of things that changed; the page requests the rest, and the rules for requests apply.
    public func allowsLive(_ member: Member, household: String) -> Bool { member.household == household }

    /// Whether `member` may see the personal data of `person`: an adult everyone's, a child's profile its own.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    public func allowsViewing(_ member: Member, of person: PersonRecord, now: Int64) -> Bool {
        guard person.household == member.household else { return false }
        guard isAdult(member) else { return person.id == member.profile.id }
        return person.role == .child || !needsPassword(member, now: now)
    }

    /// Whether `member` may sign out the device. A child's profile on a shared device may not, since everybody else
    /// would find it locked.
    package func allowsSignOut(_ member: Member) -> Bool { isAdult(member) || !member.isShared }

    /// Whether `member` may deliver a recorded session of `person`. A session names its person and may wait on a phone
    /// that somebody else picks up meanwhile: adults and shared devices deliver for everyone of the household; a
    /// child's profile delivers for the children, and for the adult whose phone it is.
    public func allowsSession(_ member: Member, of person: PersonRecord) -> Bool {
        guard person.household == member.household else { return false }
        return isAdult(member) || member.isShared || person.role == .child
            || person.id == member.person.id || person.id == member.profile.id
    }

    /// Whether `member` may put `person`'s name to what a page writes down, such as who watered a plant: adults may everyone's,
    /// whoever holds a device that the family shares too, since everybody's face is there to be chosen, and others their own.
    /// What waited on an adult's phone that a child has picked up since is the adult's still.
    public func allowsName(_ member: Member, of person: PersonRecord) -> Bool {
        guard person.household == member.household else { return false }
        return isAdult(member) || member.isShared || person.id == member.profile.id || person.id == member.person.id
    }

    /// Whether `member` may change the settings of a companion for `person`. The rule is that of
    /// ``allowsViewing(_:of:now:)``.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    public func allowsSettings(_ member: Member, of person: PersonRecord, now: Int64) -> Bool {
        allowsViewing(member, of: person, now: now)
    }

    /// Whether `member` may be given a stored response again: the account and profile that received it first may, and
    /// everyone who may see the data of the person it names. A response that names nobody is the household's.
    ///
    /// - Parameters:
    ///   - record: the stored response.
    ///   - person: the person it names; nil for nobody.
    ///   - now: the current time, in UTC milliseconds.
    func allowsAnswer(_ member: Member, in record: IdempotencyRecord, about person: PersonRecord?, now: Int64) -> Bool {
        if record.account == member.person.id, record.profile == member.profile.id { return true }
        return record.person == nil || person.map { allowsViewing(member, of: $0, now: now) } ?? false
    }

    /// Whether `member` may exchange messages with a device: one of the household that was not removed, of a kind with
    /// a channel to pages.
    public func allowsChannel(_ member: Member, to device: DeviceRecord, _ channel: PageChannel?) -> Bool {
        channel != nil && device.household == member.household && device.removedAt == nil
    }

    /// The prefix of all topics of a device.
    public func deviceTopics(_ id: String) -> String { "tandem/\(id)/" }

    /// Whether a device may use a topic or topic filter: only those below its own prefix.
    public func allowsDevice(_ id: String, topic: String) -> Bool { topic.hasPrefix(deviceTopics(id)) }

    /// Whether a client of an original system may use a topic: it publishes requests and subscribes to responses.
    public func allowsLegacy(_ access: TopicAccess, topic: String, of protocols: [LegacyProtocol]) -> Bool {
        let direction: LegacyTopic.Direction = access == .publish ? .request : .response
        return protocols.contains { $0.topics.contains(LegacyTopic(name: topic, direction: direction)) }
    }

    /// Whether an integration (a program with a token of its own) may use a topic or topic filter: one that its grants
    /// cover.
    public func allowsIntegration(grants: [TopicFilter], topic: String) -> Bool {
        guard let asked = try? TopicFilter(topic) else { return false }
        return grants.contains { $0.covers(asked) }
    }
}
