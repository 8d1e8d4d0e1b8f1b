import Wire

/// JSON of phyphox's, token by token, with its own errors.
struct PhyphoxReader {
    private var reader: JSONReader
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], sizeLimit: Int) {
        self.bytes = bytes
        reader = JSONReader(sizeLimit: sizeLimit)
    }

    mutating func next() throws(PhyphoxError) -> JSONReader.Token {
        do throws(JSONError) {
            let bytes = bytes
            return try reader.next(in: bytes.span)
        } catch {
            throw PhyphoxError(error)
        }
    }

    /// The name of the next member of an object; nil at its end.
    mutating func key() throws(PhyphoxError) -> Range<Int>? {
        if case .key(let range) = try next() { return range }
        return nil
    }

    /// Whether there is another object in a list, whose members come next.
    mutating func element() throws(PhyphoxError) -> Bool {
        switch try next() {
        case .arrayEnd: return false
        case .objectStart: return true
        default: throw .shape
        }
    }

    /// A string's text; nil for something else, which is passed over.
    mutating func text(_ token: JSONReader.Token) throws(PhyphoxError) -> [UInt8]? {
        guard case .string(let range) = token else {
            try skip(token)
            return nil
        }
        return JSONReader.unescaped(range, in: bytes.span)
    }

    mutating func skip(_ token: JSONReader.Token) throws(PhyphoxError) {
        do throws(JSONError) {
            let bytes = bytes
            try reader.skipValue(after: token, in: bytes.span)
        } catch {
            throw PhyphoxError(error)
        }
    }
}
