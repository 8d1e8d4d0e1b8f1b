import Foundation
import HTTPTypes

extension HTTPFields {
    /// Whether `Accept-Encoding` includes a content coding, by name or by `*`, and not with weight zero (RFC 9110, 12.5.3).
    func accepts(coding: String) -> Bool {
        var answer = false
        for part in self[.acceptEncoding]?.lowercased().split(separator: ",") ?? [] {
            let words = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = words.first, name == coding || name == "*" || name == "x-" + coding else { continue }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            // What names it counts more than the star (RFC 9110, 12.5.3).
            if name != "*" { return weight > 0 }
            answer = weight > 0
        }
        return answer
    }

    /// Whether `If-None-Match` includes an entity tag, by weak comparison as required (RFC 9110, 13.1.2).
    ///
    /// - Parameter tag: the tag with its quotes, and with `W/` if it is weak.
    func holds(tag: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return self[.ifNoneMatch]?.split(separator: ",").contains { part in
            let one = part.trimmingCharacters(in: .whitespaces)
            return one == "*" || opaque(one) == opaque(tag)
        } ?? false
    }
}
