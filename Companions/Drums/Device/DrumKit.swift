import DeviceHAL
import DrumsEngine

/// The kit's firmware.
public struct DrumKit {
    /// A kit that has just been switched on.
    public init() {}
}
