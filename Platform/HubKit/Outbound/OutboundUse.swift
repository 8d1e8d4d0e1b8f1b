import Localization

/// A purpose for which the hub calls hosts on the internet: which hosts, how often, and how much of a response is read.
public struct OutboundUse: Sendable, Equatable {
    /// The purpose's name in the owner's list of calls and in the database, such as `push`. It must be unique.
    public var purpose: String
    /// The purpose's title within a sentence, such as "notifications".
    public var title: LocalizedText
    /// The explanation for the owner in a sentence or two: which hosts, why, and what they learn.
    public var words: LocalizedText
    /// The networks that it may reach.
    public var reach: OutboundReach
    /// The hosts that may be called; none for a purpose that stays in the home network.
    public var hosts: [OutboundHost]
    /// The number of calls in an hour, at most.
    public var callsAnHour: Int
    /// The size of a response's body that is read, in bytes. The rest is left unread and the connection closed.
    public var answerBytes: Int

    /// Declares a purpose.
    ///
    /// - Parameters:
    ///   - purpose: the purpose's name, such as `push`.
    ///   - title: the purpose's title within a sentence, a literal that can be translated.
    ///   - words: the explanation for the owner, a literal that can be translated.
    ///   - reach: the networks that it may reach.
    ///   - hosts: the hosts that may be called.
    ///   - callsAnHour: the number of calls in an hour, at most.
    ///   - answerBytes: the size of a response's body that is read.
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

/// The networks that an ``OutboundUse`` may reach.
public enum OutboundReach: Sendable, Equatable {
    /// The purpose's hosts, by https, at public addresses.
    case internet
    /// An address of the home network that a person has entered, by http: a numeric one, so that no name can come to
    /// mean another address (DNS rebinding), at a port of these and exactly one of these paths.
    case privateNetwork(ports: ClosedRange<Int>, paths: [String])
}

extension OutboundUse {
    /// The push services of current browsers: Chrome, Edge on Android, Opera, Samsung Internet and Brave; Chromium as
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

/// A host name, or all names below a domain, in lower case.
public enum OutboundHost: Sendable, Equatable, CustomStringConvertible {
    /// One host name.
    case name(String)
    /// All names below a domain, with at least one label more.
    case below(String)

    /// Whether a host name is covered.
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
