import DrumsEngine
import Foundation
import Localization

/// The original's `sessiondata.plist`: an array of sessions, the earliest first, as XML or binary.
///
/// It is read by the engine's `PropertyList`, for Foundation's reader recurses on what it is given, and written by
/// Foundation's (ADR 15).
enum SessionDataFile {
    /// The largest file that is read from the command line, in bytes: some thousands of sessions.
    static let longest = 32 << 20
    /// The most sessions of a file.
    static let mostSessions = 20_000

    /// The reason why a file as a whole is none of the original's.
    enum Failure: Error, Equatable {
        case empty
        case tooLarge(bytes: Int)
        /// A file of XML or binary that is broken.
        ///
        /// - Parameter line: where, from 1; nil in a binary one.
        case damaged(PropertyListError.Kind, line: Int?)
        /// A form that is neither XML nor binary; perhaps the older text form, which the original never wrote.
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

        /// The words about what is wrong and what to do. Nothing was stored.
        var message: LocalizedText {
            switch self {
            case .empty: LocalizedText("This file is empty. Choose the sessiondata.plist of the original app.")
            case .tooLarge(let bytes):
                LocalizedText(
                    "This file has \(bytes) bytes, and at most \(SessionDataFile.longest) are read. Nothing was stored."
                )
            case .damaged(let kind, let line?):
                LocalizedText(
                    "This property list is damaged: line \(line) \(Self.message(kind)). Choose the sessiondata.plist of the original app. Nothing was stored."
                )
            case .damaged(_, nil):
                LocalizedText(
                    "This property list is damaged. Choose the sessiondata.plist of the original app. Nothing was stored."
                )
            case .otherForm:
                LocalizedText(
                    "This is no property list, or one of the old text form. The original app writes XML or binary: choose its own file. Nothing was stored."
                )
            case .unfolds:
                LocalizedText(
                    "This property list holds what no file of the original does: parts of an archive, or parts that unfold without end. Nothing was stored."
                )
            case .notAnArray:
                LocalizedText(
                    "This property list holds no array. A sessiondata.plist is an array of sessions. Nothing was stored."
                )
            case .tooManySessions(let count):
                LocalizedText(
                    "This file has \(count) sessions, and at most \(SessionDataFile.mostSessions) are taken. Nothing was stored."
                )
            }
        }

        /// The words about what is wrong with a line of XML, which go on from "line 7".
        static func message(_ kind: PropertyListError.Kind) -> LocalizedText {
            switch kind {
            case .cutOff: LocalizedText("is the last, and something is still open")
            case .notUTF8: LocalizedText("is in another encoding than UTF-8")
            case .ownTypes: LocalizedText("defines types of its own, which no file of the original does")
            case .tag: LocalizedText("has a tag that no property list has there")
            case .misplaced: LocalizedText("has characters that no property list has there")
            case .tooDeep: LocalizedText("is inside too many arrays and dictionaries")
            case .number: LocalizedText("has no number where one is due")
            case .date: LocalizedText("has no date such as 2016-04-20T15:30:01Z where one is due")
            case .data: LocalizedText("has no Base64 where it is due")
            case .tooLarge, .otherForm, .place, .unfolds, .archive: LocalizedText("cannot be read")
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

    /// Writes sessions as the original's file.
    ///
    /// - Parameter isBinary: XML without.
    static func write(_ sessions: [OriginalSession], isBinary: Bool) throws -> Data {
        // PropertyListSerialization knows no type where Foundation is linked into the executable.
        let encoder = PropertyListEncoder()
        encoder.outputFormat = isBinary ? .binary : .xml
        return try encoder.encode(sessions)
    }
}
