import Logging
import Storage
import Synchronization

/// The companions that this executable was built with, set once before anything else runs.
///
/// A companion's subcommands open the database too, for which the migrations of all companions must be known.
public enum Registry {
    private static let types = Mutex<[any Companion.Type]>([])

    /// Sets the companions. The executable calls it once.
    public static func install(_ companions: [any Companion.Type]) { types.withLock { $0 = companions } }

    /// The companions, in the order in which the executable lists them.
    public static var companions: [any Companion.Type] { types.withLock { $0 } }

    /// The migrations of all companions.
    public static var migrations: [Migration] { companions.flatMap { $0.migrations } }
}
