import HubKit

/// What a companion declares cannot be, or contradicts another's. The hub does not start with it.
public struct DeclarationError: Error, Equatable, CustomStringConvertible {
    /// The slug.
    public var companion: String
    /// What is wrong.
    public var reason: String

    public var description: String { "the companion “\(companion)” cannot be used: \(reason)." }
}
