import Foundation

/// The hub's own name on the network, which stays when the machine is renamed: an installed app, its outbox and its
/// notifications belong to the address with this name.
public struct HubName: Sendable, Equatable {
    /// The label, such as `linden`.
    public let label: String

    /// The name as phones look it up (RFC 6762), such as `linden.local`.
    public var local: String { label + ".local" }

    /// Creates a name; nil if it is not a label.
    ///
    /// - Parameter label: see `HostLabel.isLabel`; a final `.local` is removed.
    public init?(_ label: String) {
        var label = label.lowercased()
        if label.hasSuffix(".local") { label.removeLast(6) }
        guard HostLabel.isLabel(label) else { return nil }
        self.label = label
    }

    /// The stored name, or the requested one, or at the first start the machine's. It is stored in the file `name` of
    /// the data folder.
    ///
    /// - Parameters:
    ///   - requested: the name given by `--name`; it takes precedence over the stored one.
    ///   - hostName: the machine's name, see `LocalNetwork.hostName`.
    ///   - dataFolder: the hub's data folder.
    ///   - renamed: called with the old name after another was stored in its place.
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

/// The reason why the hub's name cannot be stored, with what to do about it.
public enum HubNameError: Error, Equatable, CustomStringConvertible {
    /// The file of the name contains something else.
    case notALabel(String, file: String)
    /// The operating system does not let the hub read or write the file.
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
