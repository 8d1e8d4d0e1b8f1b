import DrumsEngine
import Foundation

/// The original's `sessiondata.plist`: an array of sessions, the earliest first, as XML or binary.
///
/// It is read by the engine's `PropertyList`, for Foundation's reader recurses on what it is given, and written by
/// Foundation's (ADR 15).
enum SessionDataFile {
    /// The largest file that is read from the command line, in bytes: some thousands of sessions.
    static let longest = 32 << 20
    /// The most sessions of a file.
    static let mostSessions = 20_000

    /// Why a file as a whole is none of the original's.
    enum Failure: Error, Equatable {
        case empty
        case tooLarge(bytes: Int)
        /// XML or binary, and broken.
        ///
        /// - Parameter line: where, from 1; nil in a binary one.
        case damaged(PropertyListError.Kind, line: Int?)
        /// Neither XML nor binary; of the older text form perhaps, which the original never wrote.
        case otherForm
        /// A binary one that names its own parts over and over, or holds what only archives do.
        case unfolds
        case notAnArray
        case tooManySessions(Int)

        fileprivate init(_ error: PropertyListError, in bytes: [UInt8]) {
            switch error.kind {
            case .tooLarge: self = .tooLarge(bytes: bytes.count)
            case .otherForm: self = .otherForm
            case .unfolds, .archive: self = .unfolds
            case let kind:
                let line = 1 + bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
                self = .damaged(kind, line: bytes.starts(with: Array("bplist".utf8)) ? nil : line)
            }
        }

        /// What is wrong, and what to do. Nothing was stored.
        var message: String {
            switch self {
            case .empty: "This file is empty. Choose the sessiondata.plist of the original app."
            case .tooLarge(let bytes):
                "This file has \(bytes) bytes, and at most \(SessionDataFile.longest) are read. Nothing was stored."
            case .damaged(let kind, let line):
                "This property list is damaged\(line.map { ": line \($0) \(Self.message(kind))" } ?? ""). Choose the sessiondata.plist of the original app. Nothing was stored."
            case .otherForm:
                "This is no property list, or one of the old text form. The original app writes XML or binary: choose its own file. Nothing was stored."
            case .unfolds:
                "This property list holds what no file of the original does: parts of an archive, or parts that unfold without end. Nothing was stored."
            case .notAnArray:
                "This property list holds no array. A sessiondata.plist is an array of sessions. Nothing was stored."
            case .tooManySessions(let count):
                "This file has \(count) sessions, and at most \(SessionDataFile.mostSessions) are taken. Nothing was stored."
            }
        }

        /// What is wrong with a line of XML.
        private static func message(_ kind: PropertyListError.Kind) -> String {
            switch kind {
            case .cutOff: "is the last, and something is still open"
            case .notUTF8: "is in another encoding than UTF-8"
            case .ownTypes: "defines types of its own, which no file of the original does"
            case .tag: "has a tag that no property list has there"
            case .misplaced: "has characters that no property list has there"
            case .tooDeep: "is inside too many arrays and dictionaries"
            case .number: "has no number where one is due"
            case .date: "has no date such as 2016-04-20T15:30:01Z where one is due"
            case .data: "has no Base64 where it is due"
            case .tooLarge, .otherForm, .place, .unfolds, .archive: "cannot be read"
            }
        }
    }

    /// The sessions of a file, each read or with what is wrong with it.
    static func read(_ bytes: [UInt8]) throws(Failure) -> [Result<OriginalSession, OriginalSession.Failure>] {
        guard !bytes.isEmpty else { throw .empty }
        let list: PropertyList
        do throws(PropertyListError) {
            list = try PropertyList(bytes, limits: PropertyList.Limits(bytes: longest))
        } catch {
            throw Failure(error, in: bytes)
        }
        guard case .array(let sessions) = list else { throw .notAnArray }
        guard sessions.count <= mostSessions else { throw .tooManySessions(sessions.count) }
        return sessions.map { session in
            Result { () throws(OriginalSession.Failure) in try OriginalSession(session) }
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
