/// An error for a declaration that is invalid, or contradicts another. The hub does not start with it.
public struct DeclarationError: Error, Equatable, CustomStringConvertible {
    /// The slug of the companion.
    public var companion: String
    /// The reason.
    public var reason: String

    /// Creates the error.
    public init(companion: String, reason: String) {
        self.companion = companion
        self.reason = reason
    }

    public var description: String { "the companion “\(companion)” cannot be used: \(reason)." }
}
