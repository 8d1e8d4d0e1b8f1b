import Localization

/// A purpose for which the hub speaks to hosts beyond the house: to which, how often, and how much it listens.
public struct OutboundUse: Sendable, Equatable {
    /// In a word, for the owner's list of calls, where it is stored: `push`. Unlike every other's.
    public var purpose: String
    /// What is called there, within a sentence: "notifications".
    public var title: LocalizedText
    /// To whom, why, and what they learn: a sentence or two for the owner.
    public var words: LocalizedText
    /// Where it may lead.
    public var reach: OutboundReach
    /// The only hosts that are called for it; none where it stays in the house.
    public var hosts: [OutboundHost]
    /// The most calls in an hour.
    public var callsAnHour: Int
    /// How much of an answer's body is read, bytes. What comes after it is left unread, and the connection closed.
    public var answerBytes: Int

    public init(
        purpose: String, title: LocalizedText.Sentence, words: LocalizedText.Sentence,
        reach: OutboundReach = .internet, hosts: [OutboundHost] = [], callsAnHour: Int = 60, answerBytes: Int = 65_536
    ) {
        self.purpose = purpose
        self.title = LocalizedText(title)
        self.words = LocalizedText(words)
        self.reach = reach
        self.hosts = hosts
        self.callsAnHour = callsAnHour
        self.answerBytes = answerBytes
    }
}

/// Where an ``OutboundUse`` may lead.
public enum OutboundReach: Sendable, Equatable {
    /// To its hosts, by https, at public addresses.
    case internet
    /// To an address of the house's own network that a person has entered, by http: in digits, so that there is no name that
    /// could come to mean another (DNS rebinding), at one of these ports, and at one of these paths exactly.
    case privateNetwork(ports: [Int], paths: [String])
}

extension OutboundUse {
    /// The push services of today's browsers: Chrome, Edge on Android, Opera, Samsung Internet and Brave; Chromium as
    /// Linux distributions build it; Firefox; Safari; Edge on Windows.
    package static let push = OutboundUse(
        purpose: "push", title: "notifications",
        words: """
            Notifications go by the push service of each phone’s browser, to phones that asked for them. They are \
            encrypted for the phone: the service sees that something comes, and when, but not what.
            """,
        hosts: [
            .name("fcm.googleapis.com"), .name("jmt17.google.com"), .below("push.services.mozilla.com"),
            .below("push.apple.com"), .below("notify.windows.com"),
        ], callsAnHour: 600, answerBytes: 4_096)
}

/// One host name, or every name below a domain; in lower case.
public enum OutboundHost: Sendable, Equatable, CustomStringConvertible {
    case name(String)
    /// Names with at least one label more than the domain.
    case below(String)

    package func covers(_ name: String) -> Bool {
        switch self {
        case .name(let own): name == own
        case .below(let domain): name.hasSuffix("." + domain)
        }
    }

    public var description: String {
        switch self {
        case .name(let name): name
        case .below(let domain): "*.\(domain)"
        }
    }
}
