import Foundation
import HTTPTypes

extension HTTPFields {
    /// Whether `If-None-Match` includes an entity tag, by weak comparison as required (RFC 9110, 13.1.2).
    ///
    /// - Parameter tag: the tag with its quotes, and with `W/` if it is weak.
    public func holds(tag: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return self[.ifNoneMatch]?.split(separator: ",").contains { part in
            let one = part.trimmingCharacters(in: .whitespaces)
            return one == "*" || opaque(one) == opaque(tag)
        } ?? false
    }
}
