import Foundation

/// The place where new versions are published: a project on a forge, and the address at which the forge says which
/// release is the newest.
struct ReleaseSource: Sendable, Equatable {
    /// The address of the project, as people open it.
    let project: String
    /// The address that answers with the newest release, as JSON that has `tag_name` in it.
    let newest: String

    /// Takes the address of a project, such as `https://codeberg.org/owner/project`.
    ///
    /// GitHub answers at another host (docs.github.com, "REST API endpoints for releases"), GitLab by the whole path of
    /// the project (docs.gitlab.com, "Releases API"), and everybody else as Gitea and Forgejo do (their API,
    /// `/repos/{owner}/{repo}/releases/latest`).
    ///
    /// - Returns: nil for an address without an owner and a project.
    init?(_ text: String) {
        guard var parts = URLComponents(string: text), let host = parts.percentEncodedHost?.lowercased(),
            parts.query == nil
        else { return nil }
        var path = parts.percentEncodedPath.split(separator: "/").map(String.init)
        if let last = path.last, last.hasSuffix(".git") { path[path.count - 1] = String(last.dropLast(4)) }
        let isNested = host == "gitlab.com" || host.hasPrefix("gitlab.")
        guard isNested ? (2...8).contains(path.count) : path.count == 2, path.allSatisfy(Self.isName) else {
            return nil
        }
        parts.percentEncodedPath = "/" + path.joined(separator: "/")
        guard let project = parts.string else { return nil }
        self.project = project
        if host == "github.com" || host == "www.github.com" {
            parts.percentEncodedHost = "api.github.com"
            parts.percentEncodedPath = "/repos/\(path[0])/\(path[1])/releases/latest"
        } else if isNested {
            parts.percentEncodedPath = "/api/v4/projects/\(path.joined(separator: "%2F"))/releases/permalink/latest"
        } else {
            parts.percentEncodedPath = "/api/v1/repos/\(path[0])/\(path[1])/releases/latest"
        }
        guard let newest = parts.string else { return nil }
        self.newest = newest
    }

    /// Whether a part of a path is one that forges give: letters, digits, hyphens, underscores and dots.
    private static func isName(_ text: String) -> Bool {
        text != "." && text != ".."
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
