/// The reason why an archive cannot be written or read. Names of files are those in the archive.
public enum ZipError: Error, Equatable {
    /// The file is not a ZIP archive, or its end is missing.
    case notAnArchive
    /// A file in the archive, or its directory, contradicts its own description.
    case damaged(String)
    /// A file is compressed or encrypted, which the hub's own archives never are.
    case notStored(String)
    /// The name of a file leads out of the archive's folder or is not allowed.
    case hostileName(String)
    /// An entry is a symbolic link, a device or the like, or a folder in the place of a file.
    case notAFile(String)
    /// Two files have the same name.
    case repeated(String)
    /// Two files share bytes, as in an archive that expands to more than its size.
    case overlapping(String)
    /// The archive has more files than allowed.
    case tooMany(Int)
    /// A file is larger than allowed.
    case tooLarge(String)
}
