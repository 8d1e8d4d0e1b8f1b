import Wire

/// A value of a property list, Apple's format for nested data, which the original's `sessiondata.plist` is written in.
///
/// The form is that of Apple's PropertyList-1.0.dtd (XML) or of CFBinaryPList.c (binary). Only what a file can hold is
/// read: what a binary list holds for archives alone (UIDs, sets) is refused.
public enum PropertyList: Sendable, Equatable {
    /// `<array>`
    case array([PropertyList])
    /// `<dict>`, in the order of the file. A key may come twice, as in the file; the last one counts.
    case dictionary([Entry])
    /// `<string>`, well-formed UTF-8.
    case text([UInt8])
    /// `<integer>`
    case integer(Int64)
    /// `<real>`
    case real(Double)
    /// `<true/>` and `<false/>`
    case boolean(Bool)
    /// `<date>`
    case date(PropertyListDate)
    /// `<data>`, its bytes.
    case data([UInt8])

    /// A key of a dictionary with its value.
    public struct Entry: Sendable, Equatable {
        /// Well-formed UTF-8.
        public var key: [UInt8]
        public var value: PropertyList
    }

    /// What is read at most. Each is checked before memory is taken for it.
    public struct Limits: Sendable {
        /// Of the file.
        public var bytes: Int
        /// Of arrays and dictionaries in the outermost value: a file of the original has two, dictionaries of arrays.
        public var depth: Int
        /// Values and bytes of text together, each counted wherever a binary list names it.
        public var unfolded: Int
        /// The same for each byte of the file: one that is small and unfolds to more is meant to. A file of the original
        /// names the same hit or number with a byte or two wherever it comes, which makes some ten of each.
        public var unfoldedPerByte: Int

        /// Limits that every file of the original is within.
        public init(
            bytes: Int = 32 << 20, depth: Int = 16, unfolded: Int = 64 << 20, unfoldedPerByte: Int = 16
        ) {
            (self.bytes, self.depth) = (bytes, depth)
            (self.unfolded, self.unfoldedPerByte) = (unfolded, unfoldedPerByte)
        }

        /// What a binary file of so many bytes may unfold to.
        func unfolded(ofBytes bytes: Int) -> Int { min(unfolded, unfoldedPerByte * bytes + 65_536) }
    }

    /// The value that a file holds, XML or binary. No step recurses: how deep a file is nested costs no stack, and time
    /// and memory grow with its length alone.
    ///
    /// - Throws: ``PropertyListError`` with the place where it went wrong.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(PropertyListError) {
        guard bytes.count <= limits.bytes else { throw PropertyListError(.tooLarge, at: limits.bytes) }
        if hasPrefix(bytes.span, "bplist0") {
            var reader = try BinaryPropertyListReader(bytes, limits: limits)
            self = try reader.read()
        } else {
            var reader = try XMLPropertyListReader(bytes, limits: limits)
            self = try reader.read()
        }
    }
}

/// A moment, in UTC.
public enum PropertyListDate: Sendable, Equatable {
    /// Of the binary form: seconds since 1 January 2001, any number at all.
    case seconds(Double)
    /// Of the XML form, to the second. The month is 1 to 12 and the day 1 to 31; that the month has the day is not checked.
    case fields(year: UInt16, month: UInt8, day: UInt8, hour: UInt8, minute: UInt8, second: UInt8)
}

/// Why a file is no property list, and where.
public struct PropertyListError: Error, Sendable, Equatable {
    /// The kinds of trouble.
    public enum Kind: Sendable, Equatable {
        /// More than ``PropertyList/Limits/bytes``.
        case tooLarge
        /// Neither XML nor binary.
        case otherForm
        /// It stops in the middle.
        case cutOff
        /// Not UTF-8, or it says that it is in another encoding.
        case notUTF8
        /// A type definition of its own, with which a few bytes of XML can unfold into many.
        case ownTypes
        /// A tag that no property list has there.
        case tag
        /// Text where only tags may be, a `<` or an `&` that begins nothing, or bytes after the end.
        case misplaced
        /// More than ``PropertyList/Limits/depth``.
        case tooDeep
        /// A number that is none, or that 64 bits do not hold.
        case number
        /// A date not written as `2016-04-20T15:30:01Z`.
        case date
        /// Data that is not Base64 (RFC 4648).
        case data
        /// A binary list of which a part lies outside of the file, or upon another.
        case place
        /// A binary list that names its own parts over and over, or is too deep.
        case unfolds
        /// A binary list that holds what only archives do.
        case archive
    }

    /// What is wrong.
    public let kind: Kind
    /// Where, in bytes from the start.
    public let offset: Int

    init(_ kind: Kind, at offset: Int) { (self.kind, self.offset) = (kind, offset) }
}
