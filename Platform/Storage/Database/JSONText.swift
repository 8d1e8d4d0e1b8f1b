import Foundation
import GRDB

extension Database {
    /// The text that `json_each` of SQLite takes apart again, so that one query asks about many.
    ///
    /// - Parameter values: ids or numbers, or lists of them.
    public static func jsonText(_ values: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }
}
