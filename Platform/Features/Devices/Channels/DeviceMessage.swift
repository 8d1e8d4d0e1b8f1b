import HubKit
import Localization

/// The messages to a page about its devices.
public enum DeviceMessage {
    /// A message of a device. ``DeviceNews/message(device:_:now:)`` writes it.
    struct Message: Codable {
        enum Kind: String, Codable, CaseIterable { case message = "device.message" }
        var type = Kind.message
        var device: String
        var at: Int64
        /// The bytes, each as one character from U+0000 to U+00FF.
        var data: String
    }
    struct Link: Codable {
        enum Kind: String, Codable, CaseIterable { case link = "device.link" }
        var type = Kind.link
        var device: String
        var isConnected: Bool
    }
    struct Taken: Codable {
        enum Kind: String, Codable, CaseIterable { case taken = "device.taken" }
        var type = Kind.taken
        var device: String
    }
    struct Lost: Codable {
        enum Kind: String, Codable, CaseIterable { case lost = "device.lost" }
        var type = Kind.lost
        var device: String
        var count: Int
    }
    struct Refused: Codable {
        enum Kind: String, Codable, CaseIterable { case refused }
        var type = Kind.refused
        var device: String?
        var reason: String
    }

    /// All types of messages.
    public static let types: [any (Codable & SendableMetatype).Type] = [
        Message.self, Link.self, Taken.self, Lost.self, Refused.self,
    ]
}

extension DeviceNews {
    /// The message, with words in a language.
    func message(in language: Language) -> any Encodable {
        switch self {
        case .link(let device, let isConnected): DeviceMessage.Link(device: device, isConnected: isConnected)
        case .taken(let device): DeviceMessage.Taken(device: device)
        case .lost(let device, let count): DeviceMessage.Lost(device: device, count: count)
        case .refused(let device, let reason):
            DeviceMessage.Refused(device: device, reason: reason.string(in: language, from: .devices))
        }
    }
}
