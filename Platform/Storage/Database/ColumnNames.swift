import Synchronization

/// Properties' names for columns' names, each worked out once.
///
/// GRDB's own `convertFromSnakeCase` takes every name apart for every row: a quarter of the time of a year's charts.
enum ColumnNames {
    private static let known = Mutex<[String: String]>([:])

    /// `startedAt` for `started_at`.
    static func property(ofColumn column: String) -> String {
        known.withLock { known in
            if let name = known[column] { return name }
            let words = column.split(separator: "_")
            let name = words.prefix(1) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            known[column] = name.joined()
            return name.joined()
        }
    }
}

/// A property by its name.
struct ColumnKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
