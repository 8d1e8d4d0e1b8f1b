import Foundation

/// The original's `sessiondata.plist`: an array of sessions, the earliest first, as XML or binary.
enum SessionDataFile {
    /// The largest file that is read from the command line, in bytes: some thousands of sessions.
    static let longest = 32 << 20
    /// The most sessions of a file.
    static let mostSessions = 20_000
    /// What the largest binary file may unfold to, in values and bytes of text.
    private static let mostUnfolded = 64 << 20

    /// What a binary file of so many bytes may unfold to. A file of the original names the same hit or number with a byte
    /// or two wherever it comes, which makes some ten of each; one that is small and unfolds to more is meant to.
    private static func unfolded(upToBytes bytes: Int) -> Int { min(mostUnfolded, 16 * bytes + 65_536) }

    /// Why a file as a whole is none of the original's.
    enum Fault: Error, Equatable {
        case empty
        case tooLarge(bytes: Int)
        /// Neither XML nor binary, or broken; with the reader's own words, where it has some.
        case notAPropertyList(String?)
        /// Of the older text form, which the original never wrote.
        case otherForm
        /// A binary one that names its own parts over and over, or holds what only archives do.
        case unfolds
        case notAnArray
        case tooManySessions(Int)

        /// What is wrong, and what to do. Nothing was stored.
        var words: String {
            switch self {
            case .empty: "This file is empty. Choose the sessiondata.plist of the original app."
            case .tooLarge(let bytes):
                "This file has \(bytes) bytes, and at most \(SessionDataFile.longest) are read. Nothing was stored."
            case .notAPropertyList(let reason):
                "This is no property list, or a damaged one\(reason.map { ": \($0)" } ?? ""). Choose the sessiondata.plist of the original app. Nothing was stored."
            case .otherForm:
                "This property list is of the old text form. The original app writes XML or binary: choose its own file. Nothing was stored."
            case .unfolds:
                "This property list holds what no file of the original does: parts of an archive, or parts that unfold without end. Nothing was stored."
            case .notAnArray:
                "This property list holds no array. A sessiondata.plist is an array of sessions. Nothing was stored."
            case .tooManySessions(let count):
                "This file has \(count) sessions, and at most \(SessionDataFile.mostSessions) are taken. Nothing was stored."
            }
        }
    }

    /// The sessions of a file, each read or with what is wrong with it.
    static func read(_ bytes: [UInt8]) throws(Fault) -> [Result<OriginalSession, OriginalSession.Fault>] {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= longest else { throw .tooLarge(bytes: bytes.count) }
        if bytes.starts(with: BinaryPropertyList.mark) {
            guard var list = BinaryPropertyList(bytes) else { throw .notAPropertyList(nil) }
            guard list.isSound(upTo: unfolded(upToBytes: bytes.count)) else { throw .unfolds }
        }
        var format = PropertyListSerialization.PropertyListFormat.xml
        let value: Any
        do {
            value = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: &format)
        } catch {
            // The reader tries an older form last, and tells of that; only of XML its words mean something.
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String
            throw .notAPropertyList(
                bytes.starts(with: Array("<?xml".utf8)) ? reason.map { String($0.prefix(120)) } : nil)
        }
        guard format == .xml || format == .binary else { throw .otherForm }
        guard let sessions = value as? [Any] else { throw .notAnArray }
        guard sessions.count <= mostSessions else { throw .tooManySessions(sessions.count) }
        return sessions.map { session in
            Result { () throws(OriginalSession.Fault) in try OriginalSession(session) }
        }
    }

    /// Sessions as the original's file.
    ///
    /// - Parameter isBinary: XML without.
    static func write(_ sessions: [OriginalSession], isBinary: Bool) throws -> Data {
        try PropertyListSerialization.data(
            fromPropertyList: sessions.map(\.propertyList), format: isBinary ? .binary : .xml, options: 0)
    }
}
