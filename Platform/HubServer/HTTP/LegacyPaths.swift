import HubKit

/// The hosts and paths of the original systems that are switched on.
struct LegacyPaths: Sendable {
    /// The hosts that the originals' clients have built in, in lower case.
    let hosts: Set<String>
    /// The parts of each path; nil for a parameter.
    private let paths: [[Substring?]]

    /// Collects the hosts and paths of protocols; without any there are none.
    init(_ protocols: [LegacyProtocol] = []) {
        hosts = Set(protocols.flatMap { $0.hosts.map { $0.lowercased() } })
        paths = protocols.flatMap(\.routes).map { route in
            route.path.split(separator: "/").map { $0.hasPrefix("{") ? nil : $0 }
        }
    }

    /// Whether a request's target, such as `/Trivia/7?a=b`, is the path of one of their routes, by whatever method.
    func match(_ target: some StringProtocol) -> Bool {
        let parts = target.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        return paths.contains { path in
            path.count == parts.count && zip(path, parts).allSatisfy { $0 == nil || $0.map(String.init) == String($1) }
        }
    }
}
