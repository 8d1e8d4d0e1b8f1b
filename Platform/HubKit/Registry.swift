import Logging
import Storage
import Synchronization

/// The companions that this executable was built with, set once before anything else runs.
///
/// A companion's own subcommands open the database without knowing their siblings; the migrations of all must be known
/// to do so.
public enum Registry {
    private static let types = Mutex<[any Companion.Type]>([])

    /// Called once, by the executable.
    public static func install(_ companions: [any Companion.Type]) { types.withLock { $0 = companions } }

    /// Those installed, in the order of the registry.
    public static var companions: [any Companion.Type] { types.withLock { $0 } }

    /// Of all companions, for whoever opens the database.
    public static var migrations: [Migration] { companions.flatMap { $0.migrations } }
}
