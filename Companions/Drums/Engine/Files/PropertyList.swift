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
    /// A text, a number, a date or data that cannot be read as what its tag says, or where the file ends. It costs what it
    /// stands in, and not the file.
    case unreadable(PropertyListError.Kind)

    /// A key of a dictionary with its value.
    public struct Entry: Sendable, Equatable {
        /// The key, well-formed UTF-8.
        public var key: [UInt8]
        /// The value.
        public var value: PropertyList
    }

    /// The limits of a file that is read. Each is checked before memory is taken for it.
    public struct Limits: Sendable {
        /// The most bytes of the file.
        public var bytes: Int
        /// The deepest nesting of arrays and dictionaries in the outermost value: a file of the original has two,
        /// dictionaries of arrays.
        public var depth: Int
        /// The most values and bytes of text together, each counted wherever a binary list names it.
        public var unfolded: Int
        /// The most values and bytes of text for each byte of the file: a small file that unfolds to more is meant to.
        /// A file of the original names the same hit or number with a byte or two wherever it comes, which makes some
        /// ten of each.
        public var unfoldedPerByte: Int

        /// Limits that every file of the original is within.
        public init(
            bytes: Int = 32 << 20, depth: Int = 16, unfolded: Int = 64 << 20, unfoldedPerByte: Int = 16
        ) {
            (self.bytes, self.depth) = (bytes, depth)
            (self.unfolded, self.unfoldedPerByte) = (unfolded, unfoldedPerByte)
        }

        /// The size that a binary file of so many bytes may unfold to, in values and bytes of text.
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
            // A file of another program may be in UTF-16 or in Latin 1, and one byte that is damaged is not the file.
            do throws(PropertyListError) {
                var reader = try XMLPropertyListReader(utf8Text(of: bytes), limits: limits)
                self = try reader.read()
            } catch {
                // The text may be longer than the file, and the place is in the file.
                throw PropertyListError(error.kind, at: min(error.offset, bytes.count))
            }
        }
    }
}

/// A moment, in UTC.
public enum PropertyListDate: Sendable, Equatable {
    /// The date of the binary form: seconds since 1 January 2001, any number at all.
    case seconds(Double)
    /// The date of the XML form, to the second. The month is 1 to 12 and the day 1 to 31; that the month has the day is
    /// not checked.
    case fields(year: UInt16, month: UInt8, day: UInt8, hour: UInt8, minute: UInt8, second: UInt8)
}

/// The reason why a file is not a property list, and the place.
public struct PropertyListError: Error, Sendable, Equatable {
    /// The kinds of error.
    public enum Kind: Sendable, Equatable {
        /// The file has more bytes than ``PropertyList/Limits/bytes``.
        case tooLarge
        /// The file is neither XML nor binary.
        case otherForm
        /// The file ends in the middle.
        case cutOff
        /// A text is not UTF-8.
        case notUTF8
        /// The file has a type definition of its own, with which a few bytes of XML can unfold into many.
        case ownTypes
        /// A tag that no property list has there.
        case tag
        /// Text where only tags may be, a `<` or an `&` that begins nothing, or bytes after the end.
        case misplaced
        /// Nesting deeper than ``PropertyList/Limits/depth``.
        case tooDeep
        /// A number that cannot be read, or that 64 bits do not hold. In XML it is ``PropertyList/unreadable(_:)``, as dates
        /// and data are.
        case number
        /// A date not written as `2016-04-20T15:30:01Z`, nor as ISO 8601 with a fraction or an offset.
        case date
        /// Data that is not Base64 (RFC 4648).
        case data
        /// A binary list with a part outside of the file, or overlapping another.
        case place
        /// A binary list that names its own parts over and over, or is too deep.
        case unfolds
        /// A binary list that holds what only archives do.
        case archive
    }

    /// The kind of error.
    public let kind: Kind
    /// The place of the error, in bytes from the start.
    public let offset: Int

    init(_ kind: Kind, at offset: Int) { (self.kind, self.offset) = (kind, offset) }
}
