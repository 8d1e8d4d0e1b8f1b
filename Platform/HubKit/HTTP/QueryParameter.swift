/// A query parameter that a route takes. Declared with the route, it is listed in `/openapi.json`, and the page can
/// send no other.
public struct QueryParameter: Sendable, Equatable {
    /// The parameter's name.
    public var name: String
    /// The parameter's meaning, and what happens without it.
    public var summary: String
    /// All values that it may have; empty if any text is allowed.
    public var values: [String]
    /// Whether the route answers with a 422 problem without it.
    public var isRequired: Bool

    /// Declares a parameter.
    ///
    /// - Parameters:
    ///   - name: the parameter's name.
    ///   - summary: its meaning, and what happens without it.
    ///   - values: all values that it may have; empty if any text is allowed.
    ///   - isRequired: whether it must be present.
    public init(_ name: String, _ summary: String, values: [String] = [], isRequired: Bool = false) {
        self.name = name
        self.summary = summary
        self.values = values
        self.isRequired = isRequired
    }
}
