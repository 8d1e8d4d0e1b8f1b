/// A value that a route takes in the query of its address. Declared with the route, it stands in `/openapi.json`, and the page
/// can ask with no other.
public struct QueryParameter: Sendable, Equatable {
    /// As it stands before the equals sign.
    public var name: String
    /// What it says, and what holds where it is left out.
    public var summary: String
    /// All that it may be; empty where it is free.
    public var values: [String]
    /// Whether the route answers with a 422 problem where it is left out.
    public var isRequired: Bool

    /// - Parameters:
    ///   - values: all that it may be; empty where it is free.
    ///   - isRequired: whether it has to be there.
    public init(_ name: String, _ summary: String, values: [String] = [], isRequired: Bool = false) {
        self.name = name
        self.summary = summary
        self.values = values
        self.isRequired = isRequired
    }
}
