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
}
