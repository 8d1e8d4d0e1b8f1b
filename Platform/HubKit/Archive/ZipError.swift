/// Why an archive cannot be written or read. Names of files are those within it.
public enum ZipError: Error, Equatable {
    /// It has no directory where a ZIP archive has one: it is none, or its end is missing.
    case notAnArchive
    /// A file of it, or its directory, is not what it says of itself.
    case damaged(String)
    /// A file is compressed or encrypted, which no archive of a hub's is.
    case notStored(String)
    /// A name that leads out of the archive's folder, or that no file may have.
    case hostileName(String)
    /// Two files have the same name.
    case repeated(String)
    /// Two files share bytes, as in an archive that unfolds to more than it is.
    case overlapping(String)
    /// More files than an archive may have.
    case tooMany(Int)
    /// A file larger than it may be.
    case tooLarge(String)
}
