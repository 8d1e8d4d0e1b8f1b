import MQTT
import Storage

/// Who asks for something over HTTP or the live socket.
public enum Caller: Sendable {
    case anonymous
    case person(Member)

    var member: Member? { if case .person(let member) = self { member } else { nil } }
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

    /// The household that both belong to.
    public var household: String { person.household }
}

/// What a route asks of its caller.
public enum Access: Sendable {
    /// No sign-in: the door itself, and what a monitor asks.
    case anyone
    /// Anybody of the household.
    case member
    /// An adult of the household who is using the page, not a child at an adult's phone.
    case adult
}

/// Decides every route, every live message and every topic. What it does not allow is refused.
public struct Policy: Sendable {
    /// Whether somebody may use a route.
    public func allows(_ caller: Caller, _ access: Access) -> Bool {
        switch (access, caller) {
        case (.anyone, _): true
        case (.member, .person): true
        case (.adult, .person(let member)): member.person.role == .adult && member.profile.role == .adult
        case (_, .anonymous): false
        }
    }

    /// Whether a page of `member` may be told of something that belongs to `household`.
    public func allowsLive(_ member: Member, household: String) -> Bool { member.household == household }

    /// Whether `member` may deliver a session of `person`. A session says whose it is, and may wait on a phone that
    /// another picks up meanwhile: adults deliver for everybody of the household, and so does the family's own device. A
    /// child's profile delivers for the children, and for the adult whose phone it is.
    public func allowsSession(_ member: Member, of person: PersonRecord) -> Bool {
        guard person.household == member.household else { return false }
        return allows(.person(member), .adult) || member.isShared || person.role == .child
            || person.id == member.person.id || person.id == member.profile.id
    }

    /// Whether `member` may decide how a companion serves `person`: an adult for everybody of the household, a child at
    /// its own profile for itself.
    public func allowsSettings(_ member: Member, of person: PersonRecord) -> Bool {
        guard person.household == member.household else { return false }
        return allows(.person(member), .adult) || person.id == member.profile.id
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
        protocols.contains { access == .publish ? topic == $0.requestTopic : topic == $0.responseTopic }
    }

    /// Whether a program may use a topic or a filter: one that its grants cover.
    public func allowsIntegration(grants: [TopicFilter], topic: String) -> Bool {
        guard let asked = try? TopicFilter(topic) else { return false }
        return grants.contains { $0.covers(asked) }
    }
}
