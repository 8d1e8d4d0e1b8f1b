import Foundation
import Localization
import Storage

/// The words of a message by a channel to a person: a reminder, a trial, a code.
public struct ChannelNotice: Codable, Sendable, Equatable {
    /// The title, on one line.
    public var title: String
    /// The text.
    public var body: String
    /// The path of the page that it is about; nil for none.
    public var path: String?
    /// Whether it is to be seen soon.
    public var isUrgent: Bool

    /// Creates a message.
    public init(title: String, body: String, path: String? = nil, isUrgent: Bool = false) {
        self.title = title
        self.body = body
        self.path = path
        self.isUrgent = isUrgent
    }

    /// The address of its page; nil where there is none, or where the channel has no address of the hub.
    func link(_ channel: ChannelRecord) -> String? {
        guard let origin = channel.origin, let path, path.hasPrefix("/") else { return nil }
        return origin + path
    }
}

/// A message as ntfy publishes it (docs.ntfy.sh, "Publish as JSON"): POST to the server's root.
struct NtfyPublication: Encodable, Equatable {
    var topic, title, message: String
    /// From 1 to 5; 3 is what nobody says, and 4 is one that sounds for longer.
    var priority: Int
    /// The names of emojis before the title.
    var tags: [String]
    /// The address that opens with a tap.
    var click: String?

    init(_ notice: ChannelNotice, topic: String, _ channel: ChannelRecord) {
        self.topic = topic
        title = notice.title
        message = notice.body
        priority = notice.isUrgent ? 4 : 3
        tags = ["bell"]
        click = notice.link(channel)
    }
}

extension ChannelNotice {
    /// The text of an e-mail: the words, the page, and how it ends.
    func text(_ channel: ChannelRecord, in language: Language) -> String {
        let end = LocalizedText(
            "From Tandem, the hub of your household. An adult ends these emails in Settings, Reminders.")
        return ([body, link(channel)].compactMap { $0 } + ["-- ", end.string(in: language, from: .push)])
            .joined(separator: "\n\n").replacing("-- \n\n", with: "-- \n")
    }
}
