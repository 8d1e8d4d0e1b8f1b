import Storage

extension Hub {
    /// The household, which a command such as `tandem device add` needs.
    ///
    /// - Throws: `NoHousehold` while there is none.
    public func requiredHousehold() async throws -> HouseholdRecord {
        guard let household = try await household() else { throw NoHousehold() }
        return household
    }
}

/// A command that needs a household found an empty hub.
public struct NoHousehold: Error, CustomStringConvertible {
    /// There is none.
    public init() {}

    public var description: String {
        "This hub has no household yet. Start it and open its page, or run `tandem user add` first."
    }
}
