/// The reason why the data of a known service are not what its format says.
public enum AdvertisementError: Error, Equatable, Sendable {
    /// The data end before what they announce.
    case truncated
    /// The data are of a version that this build does not know.
    case unknownVersion(UInt8)
    /// The data are those of another device than the sender.
    case foreignAddress
    /// The frame is one of a mesh, which broadcasts no measurements.
    case mesh
}

/// The protection that data had on their way.
public enum Protection: UInt8, Equatable, Sendable {
    /// Data in the clear, which anybody can have sent.
    case plain
    /// Encrypted data that the key opened.
    case opened
    /// Encrypted data without a key.
    case needsKey
    /// Encrypted data that the key does not open: it is of another device, or bytes were lost.
    case wrongKey
    /// Data encrypted as MiBeacon did before version 4, without a tag to check; they are not opened.
    case legacy
    /// Data in the clear of a device that has a key: somebody else may have sent them, so they are left out.
    case downgraded
}
