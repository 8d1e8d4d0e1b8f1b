import Foundation

/// The hub's own name on the network, which it keeps when the machine is called otherwise: an installed app, its
/// outbox and its notifications belong to the address that carries this name.
public struct HubName: Sendable, Equatable {
    /// The label, such as `linden`.
    public let label: String

    /// As phones look for it (RFC 6762): `linden.local`.
    public var local: String { label + ".local" }

    /// - Parameter label: see `HostLabel.isLabel`; a final `.local` is taken away. Nil for what is no label.
    public init?(_ label: String) {
        var label = label.lowercased()
        if label.hasSuffix(".local") { label.removeLast(6) }
        guard HostLabel.isLabel(label) else { return nil }
        self.label = label
    }

    /// The name that the data folder keeps, or the one asked for, or at the first start that of the machine; and keeps
    /// it in the file `name` from then on.
    ///
    /// - Parameters:
    ///   - requested: what `--name` says; it wins over the one that is stored.
    ///   - hostName: of the machine, see `LocalNetwork.hostName`.
    ///   - renamed: called with the name that was kept until now when another takes its place, once it is stored.
    public static func keep(
        _ requested: HubName?, hostName: String, dataFolder: String, renamed: (HubName) -> Void = { _ in }
    ) throws(HubNameError) -> HubName {
        let path = dataFolder + "/name"
        do {
            let kept = try DurableFile.read(path)
            let text = kept?.text.trimmingCharacters(in: .whitespacesAndNewlines)
            let old = text.flatMap { HubName($0) }
            if let text, old == nil, requested == nil { throw HubNameError.notALabel(text, file: path) }
            let name = requested ?? old ?? HubName(HostLabel.nearest(to: hostName)) ?? fallback
            if name != old {
                try DurableFile.write(name.label + "\n", to: path, mode: 0o600)
                if let old { renamed(old) }
            }
            return name
        } catch let error as HubNameError {
            throw error
        } catch let error as DurableFile.Failure {
            throw .inaccessible(path: error.path, reason: error.reason)
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
    }

    private init(known label: String) { self.label = label }

    private static let fallback = HubName(known: "tandem")
}

/// Why the hub's name cannot be stored, and what to do about it.
public enum HubNameError: Error, Equatable, CustomStringConvertible {
    /// The file in which the name is stored holds something else.
    case notALabel(String, file: String)
    /// The system does not let the hub read or write there.
    case inaccessible(path: String, reason: String)

    public var description: String {
        switch self {
        case .notALabel(let text, let file):
            """
            \(file) holds “\(text.prefix(80))”, which is no name for a machine. Write one of letters, digits and \
            hyphens there, such as linden, or start the hub with --name.
            """
        case .inaccessible(let path, let reason):
            "\(path) cannot be used: \(reason). It has to belong to the user that runs the hub."
        }
    }
}
