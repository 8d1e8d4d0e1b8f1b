import Localization

/// Why a large file was not written, and what to do: for the terminal of a command, and for adults on a page.
extension LocalizedText {
    /// - Parameters:
    ///   - path: of the file.
    ///   - free: megabytes; 0 where the disk filled up.
    ///   - wanted: megabytes.
    static func noRoom(for path: String, free: Int, wanted: Int) -> LocalizedText {
        guard free > 0 || wanted > 0 else {
            return LocalizedText("The disk that holds \(path) is full. Free some space, then try again.")
        }
        let (free, wanted) = ("\(free)", "\(wanted)")
        return LocalizedText(
            "The disk that holds \(path) has \(free) MB free, and this takes up to \(wanted). Free some space, or take another disk."
        )
    }

    static func notWritable(_ path: String) -> LocalizedText {
        LocalizedText(
            "\(path) cannot be written. Check that its folder exists, is yours, and is on a disk that can be written.")
    }

    static func unusable(_ path: String, reason: String) -> LocalizedText {
        LocalizedText("\(path) cannot be used: \(reason)")
    }
}
