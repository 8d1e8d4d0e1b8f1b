import BoardImages

/// The place where an image runs: the flash memory from its beginning. There is no boot loader for this board yet, so that images are
/// flashed by cable alone.
public enum ImagePlace {
    /// The header of what runs: none.
    public static var running: ImageHeader? { nil }
}
