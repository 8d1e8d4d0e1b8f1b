import HubKit
import Localization

/// The purposes whose hosts an adult has chosen. They have no hosts of their own: without a choice they reach nobody.
extension OutboundUse {
    /// Reminders by ntfy.
    package static let ntfy = OutboundUse(
        purpose: "ntfy", title: "reminders by ntfy",
        words: """
            Reminders go to the ntfy server that an adult has chosen, for the people whose channel is there. It can read \
            what they say; use your own, or one that you trust.
            """,
        callsAnHour: 300, answerBytes: 4_096)
    /// Reminders by e-mail.
    package static let mail = OutboundUse(
        purpose: "mail", title: "reminders by email",
        words: """
            Reminders go by the household’s email account to addresses whose owners have confirmed them. The mail servers \
            on the way can read them.
            """,
        callsAnHour: 120)
    /// Events for another program.
    package static let webhook = OutboundUse(
        purpose: "webhook", title: "webhooks",
        words: """
            Events that an adult has chosen, such as that somebody has brushed, go to the address that the adult has entered.
            """,
        callsAnHour: 600, answerBytes: 1_024)

    /// The question for a newer version of the hub.
    package static let releases = OutboundUse(
        purpose: "releases", title: "new versions",
        words: """
            Once a day the hub asks where an adult has said whether there is a newer version of it. It sends its own version and \
            nothing else.
            """,
        callsAnHour: 20, answerBytes: 262_144)

    /// All of them, in the order in which they are listed.
    static let chosen = [ntfy, mail, webhook, releases]
}
